#pragma once

#include "ops/attention/masked_attention.h"

namespace sdx::ops {

Status run_multi_head_attention(KernelContext& ctx, AttendPath path);

}  // namespace sdx::ops
