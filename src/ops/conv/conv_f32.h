// The float32 convolution, for Conv and FusedConv.
#pragma once

#include <limits>

#include "ops/op.h"

namespace sdx::ops {

struct ConvEnd {
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();  // clip
};

Verdict can_run_conv_f32(const NodeFacts& facts);
Verdict can_run_conv_half(const NodeFacts& facts);
Status run_conv_f32(KernelContext& ctx, const ConvEnd& end);

}  // namespace sdx::ops
