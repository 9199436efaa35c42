// What Adam, Adagrad and Momentum share. Inputs: rate, step count, then the tensors in groups: all X, all gradients,
// all states of a kind. Outputs: all new X, then all new states.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// `states` kinds of state follow each tensor's gradient.
Result<Facts> infer_optimizer(InferContext& ctx, size_t states);

// One element: x, gradient, states; writes x and states.
struct OptimizerStep {
  double rate = 0;
  int64_t count = 0;
  const Attributes& attributes;
};
using OptimizerUpdate = void (*)(const OptimizerStep& step, double& x, double gradient, double* states);
Status reference_optimizer(KernelContext& ctx, size_t states, OptimizerUpdate update);

}  // namespace sdx::ops
