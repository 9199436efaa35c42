// Sign: y = -1, 0 or 1. NaN stays NaN.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status sign_reference(KernelContext& ctx) {
  if (is_unsigned_integer(ctx.input(0).dtype()))
    return reference_unary(ctx, nullptr, [](int64_t x) { return int64_t{x != 0}; });
  return reference_unary(
      ctx, [](double x) { return x > 0   ? 1.0
                                 : x < 0 ? -1.0
                                         : x; },
      [](int64_t x) { return int64_t{x > 0} - int64_t{x < 0}; });
}

}  // namespace

SDX_OP(sign) = {
    .name = "Sign",
    .since = 13,
    .infer = infer_same_as_first,
    .reference = sign_reference,
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
