// ThresholdedRelu: y = x for x > alpha, else 0.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status thresholded_relu_reference(KernelContext& ctx) {
  const double alpha = ctx.attr_float("alpha", 1.0f);
  return reference_map(ctx, [=](double x) { return x > alpha ? x : 0.0; });
}

}  // namespace

SDX_OP(thresholded_relu) = {
    .name = "ThresholdedRelu",
    .since = 22,
    .infer = infer_same_as_first,
    .reference = thresholded_relu_reference,
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
