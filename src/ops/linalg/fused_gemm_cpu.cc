// FusedGemm for float32.
#include "kernel/weight_parts.h"
#include "ops/elementwise.h"
#include "ops/fused_activation.h"
#include "ops/linalg/gemm_operator.h"

namespace sdx::ops {
namespace {

Status run_fused_gemm_f32(KernelContext& ctx) {
  SDX_ASSIGN(const FusedActivation activation, fused_gemm_activation(ctx.attributes()));
  SDX_TRY(run_gemm_f32(ctx));
  Tensor& y = ctx.output(0);
  if (activation.kind == FusedActivation::Kind::none) return {};
  if (!activation.is_clip()) return apply_activation_f32(ctx, activation, y);
  const float low = activation.low(), high = activation.high();
  return parallel_ranges(ctx, y.count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float& v = y.data<float>()[i];
      v = v < low ? low : v > high ? high : v;
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(fused_gemm, {.name = "fused_gemm_f32",
                             .can_run = takes<DType::f32>,
                             .prepare = prepare_gemm_f32,
                             .run = run_fused_gemm_f32,
                             .packs_inputs = input_bit(1) | in_parts(1),
                             .packed_bytes = gemm_packed_bytes});

}  // namespace sdx::ops
