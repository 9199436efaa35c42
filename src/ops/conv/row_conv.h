// Convolutions of few filters over plain channels: vectors lie along rows of the output, weights are broadcast. Regions
// of the output are computed from padded copies of their input, as blocked ones are (blocked_direct.h).
#pragma once

#include "kernel/scratch_parts.h"
#include "ops/conv/conv_f32.h"
#include "ops/conv/convolution.h"

namespace sdx::ops {

// Whether this is the way for it, if its weights are a constant.
bool suits_rows(const NodeFacts& facts);
int64_t row_weights_bytes(const NodeFacts& facts);
Result<Tensor> pack_row_weights(const NodeFacts& facts);
Dim row_conv_scratch(const ScratchFacts& facts);
Status run_row_conv(KernelContext& ctx, const ConvSizes& sizes, const Tensor& weights, const ConvEnd& end);

}  // namespace sdx::ops
