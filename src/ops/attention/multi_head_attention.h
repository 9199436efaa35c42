#pragma once

#include "ops/attention/masked_attention.h"

namespace sdx::ops {

Status run_multi_head_attention(KernelContext& ctx, AttendPath path);
Dim multi_head_attention_scratch(const ScratchFacts& facts);

}  // namespace sdx::ops
