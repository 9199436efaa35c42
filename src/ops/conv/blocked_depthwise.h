// The depthwise convolution over blocked channels: every channel has one filter.
#pragma once

#include "ops/conv/blocked_direct.h"

namespace sdx::ops {

Verdict can_run_depthwise(const NodeFacts& facts);
Result<std::unique_ptr<KernelState>> prepare_depthwise(const NodeFacts& facts);
int64_t depthwise_bytes(const NodeFacts& facts);
Dim depthwise_scratch(const ScratchFacts& facts);
Status run_depthwise(KernelContext& ctx);

}  // namespace sdx::ops
