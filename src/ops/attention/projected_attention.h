// What com.microsoft's Attention and QAttention share: the heads of one projected tensor [batch, sequence, channels of
// q, k and v], a past [2, batch, heads, positions, size], and what follows from them.
#pragma once

#include "ops/attention/masked_attention.h"

namespace sdx::ops {

// Channels of q, k and v: those of qkv_hidden_sizes, or a third of `width` each.
Result<std::array<int64_t, 3>> projected_channels(const Attributes& attributes, int64_t width);

struct ProjectedInputs {
  size_t weights = 1, bias = 2, mask = 3, past = 4;
  int score_bias = -1;
};
Result<Facts> infer_projected_attention(InferContext& ctx, const ProjectedInputs& inputs, DType type);
Status run_projected_attention(KernelContext& ctx, const ProjectedInputs& inputs, const Tensor& projected,
                               AttendPath path, ScratchParts* scratch);
// Scratch memory of the f32 path: the projected tensor, which the kernel takes first, then what the heads need.
void add_projected_scratch(ScratchSize& size, const ProjectedInputs& inputs);

}  // namespace sdx::ops
