// Adam: one step. With g = norm_coefficient * x + gradient:
//   v = alpha * v + (1 - alpha) * g;  h = beta * h + (1 - beta) * g * g
//   rate' = count > 0 ? rate * sqrt(1 - beta^count) / (1 - alpha^count) : rate
//   x = (1 - norm_coefficient_post) * (x - rate' * v / (sqrt(h) + epsilon))
#include <cmath>

#include "ops/training/optimizer.h"

namespace sdx::ops {
namespace {

void adam_update(const OptimizerStep& step, double& x, double gradient, double* states) {
  const auto get = [&](std::string_view name, float otherwise) {
    return static_cast<double>(step.attributes.get_float(name, otherwise));
  };
  const double alpha = get("alpha", 0.9F), beta = get("beta", 0.999F);
  const double g = get("norm_coefficient", 0) * x + gradient;
  double &v = states[0], &h = states[1];
  v = alpha * v + (1 - alpha) * g;
  h = beta * h + (1 - beta) * g * g;
  const auto count = static_cast<double>(step.count);
  const double rate =
      step.count > 0 ? step.rate * std::sqrt(1 - std::pow(beta, count)) / (1 - std::pow(alpha, count)) : step.rate;
  x = (1 - get("norm_coefficient_post", 0)) * (x - rate * v / (std::sqrt(h) + get("epsilon", 1e-6F)));
}

}  // namespace

SDX_OP(adam) = {
    .name = "Adam",
    .domain = "ai.onnx.preview.training",
    .since = 1,
    .infer = [](InferContext& ctx) { return infer_optimizer(ctx, 2); },
    .reference = [](KernelContext& ctx) { return reference_optimizer(ctx, 2, adam_update); },
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
