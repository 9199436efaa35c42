// Selu: y = gamma x for x > 0, else gamma alpha (e^x - 1).
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status selu_reference(KernelContext& ctx) {
  const double alpha = ctx.attr_float("alpha", 1.6732632f);
  const double gamma = ctx.attr_float("gamma", 1.050701f);
  return reference_map(ctx, [=](double x) { return gamma * (x > 0 ? x : alpha * std::expm1(x)); });
}

// Opset 1 had other defaults.
Status selu_1_to_6(UpgradeContext& ctx) {
  if (!ctx.attributes().has("alpha")) ctx.attributes().set("alpha", 1.6732f);
  if (!ctx.attributes().has("gamma")) ctx.attributes().set("gamma", 1.0507f);
  return drop_consumed_inputs(ctx);
}

}  // namespace

SDX_OP(selu) = {
    .name = "Selu",
    .since = 22,
    .infer = infer_same_as_first,
    .reference = selu_reference,
    .upgrades = {{1, selu_1_to_6}},
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
