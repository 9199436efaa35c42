// What a scattered element does to the one that is there already.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

enum class Reduction : uint8_t { none, add, mul, max, min };
Result<Reduction> reduction_of(const Attributes& attributes);
// An error when the type has no such reduction.
Status check_reduction(Reduction reduction, DType type);

// Reference: output 0 is `data` with updates[i] merged into element at[i], in order.
Status scatter(KernelContext& ctx, const Tensor& data, const Tensor& updates, std::span<const int64_t> at,
               Reduction reduction);

// NaN wins in max and min. Integers wrap.
template <typename T>
T reduced(Reduction reduction, T old, T update) {
  switch (reduction) {
    case Reduction::none: return update;
    case Reduction::add: return static_cast<T>(old + update);
    case Reduction::mul: return static_cast<T>(old * update);
    case Reduction::max: return old != old ? old : !(update <= old) ? update : old;
    case Reduction::min: return old != old ? old : !(update >= old) ? update : old;
  }
  return update;
}

}  // namespace sdx::ops
