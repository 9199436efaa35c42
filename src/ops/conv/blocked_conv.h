// Convolution over channels in blocks of 16: element (n, c, position) of a blocked tensor lies at (n, c / 16, position,
// c % 16). Lanes beyond the last channel hold anything, NaN included: nothing may read them as a channel.
#pragma once

#include "kernel/scratch_parts.h"
#include "ops/conv/convolution.h"
#include "ops/fused_activation.h"

namespace sdx::ops {

inline constexpr int64_t kChannelBlock = 16;
constexpr int64_t channel_blocks(int64_t channels) { return (channels + kChannelBlock - 1) / kChannelBlock; }

// x is [N, C, spatial...] instead of blocked.
bool has_plain_input(const Attributes& attributes);

// The same as conv_sizes, in numbers of channels.
Result<ConvSizes> blocked_conv_sizes(KernelContext& ctx);

// The bias with zeros in the last block's lanes beyond the channels; zeros where there is none.
const float* bias_lanes(const KernelContext& ctx, const ConvSizes& sizes, ScratchParts& scratch);
// The same of the factor, with ones.
const float* factor_lanes(const KernelContext& ctx, const ConvSizes& sizes, ScratchParts& scratch);

}  // namespace sdx::ops
