// The largest bytes of windows over two spatial axes, where no window spans the third and last one: channels that lie
// innermost.
#pragma once

#include "ops/pool/pooling.h"

namespace sdx::ops {

Verdict can_run_byte_lane_pool(const NodeFacts& facts);
Status run_byte_lane_pool(KernelContext& ctx);
Dim byte_lane_pool_scratch(const ScratchFacts& facts);

}  // namespace sdx::ops
