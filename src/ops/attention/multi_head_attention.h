#pragma once

#include "ops/attention/masked_attention.h"

namespace sdx::ops {

// Query, key and value in three tensors, and no scores to give out.
bool is_plain(const NodeFacts& facts);
Status run_multi_head_attention(KernelContext& ctx, AttendPath path);
Dim multi_head_attention_scratch(const ScratchFacts& facts);

}  // namespace sdx::ops
