#include "ops/math/arithmetic.h"

#include "base/element.h"
#include "ops/native_loops.h"

namespace sdx::ops {

Status check_divisor(const Tensor& divisor, int64_t count) {
  if (is_floating(divisor.dtype()) || count == 0) return {};
  const auto width = static_cast<size_t>(bit_width(divisor.dtype())) / 8;
  const bool aligned = width > 0 && reinterpret_cast<uintptr_t>(divisor.raw()) % width == 0;
  if (aligned && !any_zero(divisor)) return {};
  for (int64_t i = 0; i < divisor.count(); ++i)
    if (load_i64(divisor, i) == 0)
      return invalid_argument("integer division by zero: element {} of the divisor is 0", i);
  return {};
}

}  // namespace sdx::ops
