// Group normalisation with an activation behind it: what the standard's operator and our own share.
#pragma once

#include "ops/fused_activation.h"

namespace sdx::ops {

Result<Facts> infer_group_norm(InferContext& ctx);
Status reference_group_norm(KernelContext& ctx, const FusedActivation& activation);
Status run_group_norm_f32(KernelContext& ctx, const FusedActivation& activation);

}  // namespace sdx::ops
