// Grouped 1x1 convolutions over blocked channels where a group is no whole number of blocks, or where the input's
// channels are taken in another order.
#pragma once

#include "ops/conv/blocked_weights.h"

namespace sdx::ops {

Verdict can_run_grouped(const NodeFacts& facts);
int64_t grouped_bytes(const NodeFacts& facts);
Result<std::unique_ptr<KernelState>> prepare_grouped(const NodeFacts& facts);
Dim grouped_scratch(const ScratchFacts& facts);
Status run_grouped(KernelContext& ctx);

}  // namespace sdx::ops
