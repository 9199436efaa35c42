// The negative log likelihood of labels, with class weights, an ignored label and a reduction: the second half of both
// loss operators.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// Shape of the loss; also checks labels and weights (inputs 1 and 2) against the scores (input 0).
Result<Fact> infer_nll(const InferContext& ctx);
// Output 0 from log probabilities [n, c, ...], given as doubles in the order of input 0.
Status compute_nll(KernelContext& ctx, std::span<const double> log_probabilities);

}  // namespace sdx::ops
