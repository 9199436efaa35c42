// What Gemm and FusedGemm share.
#pragma once

#include "ops/fused_activation.h"
#include "ops/op.h"

namespace sdx::ops {

Result<Facts> infer_gemm(InferContext& ctx);
Status gemm_reference(KernelContext& ctx);

Result<FusedActivation> fused_gemm_activation(const Attributes& attributes);

Result<std::unique_ptr<KernelState>> prepare_gemm_f32(const NodeFacts& facts);
int64_t gemm_packed_bytes(const NodeFacts& facts);
// `activation` behind the sums.
Status run_gemm_f32(KernelContext& ctx, const FusedActivation& activation);

}  // namespace sdx::ops
