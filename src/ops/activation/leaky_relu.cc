// LeakyRelu: y = x for x >= 0, else alpha x.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status leaky_relu_reference(KernelContext& ctx) {
  const double alpha = ctx.attr_float("alpha", 0.01f);
  return reference_map(ctx, [=](double x) { return x < 0 ? alpha * x : x; });
}

}  // namespace

SDX_OP(leaky_relu) = {
    .name = "LeakyRelu",
    .since = 16,
    .infer = infer_same_as_first,
    .reference = leaky_relu_reference,
    .upgrades = {{1, drop_consumed_inputs}},
    .records_constraints = true,
    .in_place = 0,
    .tolerance = ulp(1),
};

}  // namespace sdx::ops
