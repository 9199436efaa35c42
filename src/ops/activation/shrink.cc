// Shrink: y = x + bias for x < -lambd, x - bias for x > lambd, else 0. Integers are computed in double and truncated.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status shrink_reference(KernelContext& ctx) {
  const double lambda = ctx.attr_float("lambd", 0.5f), bias = ctx.attr_float("bias", 0.0f);
  return reference_map(ctx, [=](double x) { return x < -lambda ? x + bias : x > lambda ? x - bias : 0.0; });
}

}  // namespace

SDX_OP(shrink) = {
    .name = "Shrink",
    .since = 9,
    .infer = infer_same_as_first,
    .reference = shrink_reference,
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
