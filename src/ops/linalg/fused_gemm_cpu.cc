// FusedGemm for float32.
#include "kernel/weight_parts.h"
#include "ops/elementwise.h"
#include "ops/linalg/gemm_operator.h"

namespace sdx::ops {
namespace {

Status run_fused_gemm_f32(KernelContext& ctx) {
  SDX_ASSIGN(const FusedActivation activation, fused_gemm_activation(ctx.attributes()));
  return run_gemm_f32(ctx, activation);
}

}  // namespace

SDX_CPU_KERNELS(fused_gemm, {.name = "fused_gemm_f32",
                             .can_run = takes<DType::f32>,
                             .prepare = prepare_gemm_f32,
                             .run = run_fused_gemm_f32,
                             .packs_inputs = input_bit(1) | in_parts(1),
                             .packed_bytes = gemm_packed_bytes});

}  // namespace sdx::ops
