// Momentum: one step. With g = norm_coefficient * x + gradient:
//   v = alpha * v + (count > 0 ? beta : 1) * g
//   x = x - rate * v  (mode "standard"),  x = x - rate * (g + alpha * v)  (mode "nesterov")
#include "ops/training/optimizer.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_momentum(InferContext& ctx) {
  const std::string_view mode = ctx.attr_string("mode", "");
  if (mode != "standard" && mode != "nesterov")
    return ctx.fail("attribute mode is \"{}\"; standard or nesterov is allowed", mode);
  for (const std::string_view name : {"alpha", "beta", "norm_coefficient"})
    if (!ctx.attributes().has(name)) return ctx.fail("attribute {} is missing", name);
  return infer_optimizer(ctx, 1);
}

void momentum_update(const OptimizerStep& step, double& x, double gradient, double* states) {
  const double alpha = step.attributes.get_float("alpha", 0);
  const double beta = step.count > 0 ? step.attributes.get_float("beta", 0) : 1;
  const double g = static_cast<double>(step.attributes.get_float("norm_coefficient", 0)) * x + gradient;
  states[0] = alpha * states[0] + beta * g;
  const bool nesterov = step.attributes.get_string("mode", "") == "nesterov";
  x -= step.rate * (nesterov ? g + alpha * states[0] : states[0]);
}

}  // namespace

SDX_OP(momentum) = {
    .name = "Momentum",
    .domain = "ai.onnx.preview.training",
    .since = 1,
    .infer = infer_momentum,
    .reference = [](KernelContext& ctx) { return reference_optimizer(ctx, 1, momentum_update); },
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
