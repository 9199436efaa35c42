// The negative log likelihood of float32 scores.
#pragma once

#include "ops/loss/nll.h"

namespace sdx::ops {

Verdict can_run_nll_f32(const NodeFacts& facts);
// From log probabilities in the layout of input 0; the loss is output 0.
Status run_nll_f32(KernelContext& ctx, const float* log_probabilities);

}  // namespace sdx::ops
