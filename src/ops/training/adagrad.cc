// Adagrad: one step. With g = norm_coefficient * x + gradient:
//   h = h + g * g;  x = x - rate / (1 + count * decay_factor) * g / (sqrt(h) + epsilon)
#include <cmath>

#include "ops/training/optimizer.h"

namespace sdx::ops {
namespace {

void adagrad_update(const OptimizerStep& step, double& x, double gradient, double* states) {
  const auto get = [&](std::string_view name, float otherwise) {
    return static_cast<double>(step.attributes.get_float(name, otherwise));
  };
  const double rate = step.rate / (1 + static_cast<double>(step.count) * get("decay_factor", 0));
  const double g = get("norm_coefficient", 0) * x + gradient;
  states[0] += g * g;
  x -= rate * g / (std::sqrt(states[0]) + get("epsilon", 1e-6F));
}

}  // namespace

SDX_OP(adagrad) = {
    .name = "Adagrad",
    .domain = "ai.onnx.preview.training",
    .since = 1,
    .infer = [](InferContext& ctx) { return infer_optimizer(ctx, 1); },
    .reference = [](KernelContext& ctx) { return reference_optimizer(ctx, 1, adagrad_update); },
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
