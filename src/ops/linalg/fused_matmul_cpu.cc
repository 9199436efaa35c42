// FusedMatMul for float32 and doubles.
#include "kernel/weight_parts.h"
#include "ops/elementwise.h"
#include "ops/linalg/fused_matmul.h"
#include "ops/linalg/typed_products.h"

namespace sdx::ops {
namespace {

template <typename T>
Status scale(KernelContext& ctx) {
  const auto alpha = static_cast<T>(ctx.attr_float("alpha", 1));
  if (alpha == 1) return {};
  T* y = ctx.output(0).data<T>();
  return parallel_ranges(ctx, ctx.output(0).count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] *= alpha;
  });
}

Status run_fused_matmul_f32(KernelContext& ctx) {
  SDX_TRY(run_matmul_f32(ctx, fused_matmul_form(ctx.attributes())));
  return scale<float>(ctx);
}

Status run_fused_matmul_f64(KernelContext& ctx) {
  SDX_TRY(run_matmul_typed(ctx, fused_matmul_form(ctx.attributes())));
  return scale<double>(ctx);
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
         [](const NodeFacts& facts) { return matmul_packed_bytes(facts, fused_matmul_form(facts.attributes())); }},
    {.name = "fused_matmul_f64",
     .can_run = takes<DType::f64>,
     .run = run_fused_matmul_f64,
     .scratch_bytes = typed_product_scratch});

}  // namespace sdx::ops
