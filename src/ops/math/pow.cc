// Pow: y = x^exponent with broadcasting, in the type of x. Between integers the result wraps; a negative exponent gives
// the truncated reciprocal, an error for a base of 0. An integer base with a floating exponent is raised in double and
// truncated.
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

int64_t integer_power(int64_t base, uint64_t exponent) {
  uint64_t power = 1, square = static_cast<uint64_t>(base);
  for (; exponent != 0; exponent >>= 1, square *= square)
    if ((exponent & 1) != 0) power *= square;
  return static_cast<int64_t>(power);
}

Status pow_reference(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &exponent = ctx.input(1);
  Tensor& y = ctx.output(0);
  BroadcastWalker walk(y.shape(), {x.shape(), exponent.shape()});
  const bool integers = !is_floating(x.dtype()) && !is_floating(exponent.dtype());
  const bool is_signed = is_signed_integer(exponent.dtype());
  for (int64_t i = 0; i < y.count(); ++i, walk.next()) {
    if (!integers) {
      store_double(y, i, std::pow(load_double(x, walk.operand(0)), load_double(exponent, walk.operand(1))));
      continue;
    }
    const int64_t base = load_i64(x, walk.operand(0)), power = load_i64(exponent, walk.operand(1));
    if (!is_signed || power >= 0) {
      store_i64(y, i, integer_power(base, static_cast<uint64_t>(power)));
    } else if (base == 0) {
      return invalid_argument("integer division by zero: 0 to the power of {}", power);
    } else {
      store_i64(y, i, base == 1 || (base == -1 && power % 2 == 0) ? 1 : base == -1 ? -1 : 0);
    }
  }
  return {};
}

}  // namespace

SDX_OP(pow) = {
    .name = "Pow",
    .since = 15,
    .infer = infer_broadcast,
    .reference = pow_reference,
    .upgrades = {{1, upgrade_axis_broadcast}},
    .records_constraints = true,
    .in_place = 0,
    .tolerance = ulp(4),
};

}  // namespace sdx::ops
