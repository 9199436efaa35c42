// IsInf: y = x is an infinity of a sign that is asked for.
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status is_inf_reference(KernelContext& ctx) {
  const bool positive = ctx.attr_int("detect_positive", 1) != 0, negative = ctx.attr_int("detect_negative", 1) != 0;
  return reference_map(ctx, [=](double x) { return std::isinf(x) && (x > 0 ? positive : negative) ? 1.0 : 0.0; });
}

}  // namespace

SDX_OP(is_inf) = {
    .name = "IsInf",
    .since = 20,
    .infer = [](InferContext& ctx) -> Result<Facts> { return tensor_fact(DType::boolean, ctx.input(0).shape); },
    .reference = is_inf_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
