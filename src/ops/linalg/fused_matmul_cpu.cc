// FusedMatMul for float32.
#include "kernel/weight_parts.h"
#include "ops/elementwise.h"
#include "ops/linalg/fused_matmul.h"

namespace sdx::ops {
namespace {

Status run_fused_matmul_f32(KernelContext& ctx) {
  SDX_TRY(run_matmul_f32(ctx, fused_matmul_form(ctx.attributes())));
  const float alpha = ctx.attr_float("alpha", 1);
  if (alpha == 1) return {};
  float* y = ctx.output(0).data<float>();
  return parallel_ranges(ctx, ctx.output(0).count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] *= alpha;
  });
}

}  // namespace

SDX_CPU_KERNELS(
    fused_matmul,
    {.name = "fused_matmul_f32",
     .can_run = takes<DType::f32>,
     .prepare = [](const NodeFacts& facts) { return prepare_matmul_f32(facts, fused_matmul_form(facts.attributes())); },
     .run = run_fused_matmul_f32,
     .packs_inputs = input_bit(1) | in_parts(1),
     .packed_bytes =
         [](const NodeFacts& facts) { return matmul_packed_bytes(facts, fused_matmul_form(facts.attributes())); }});

}  // namespace sdx::ops
