// com.microsoft's Attention for float32.
#include "ops/attention/ms_attention.h"
#include "ops/elementwise.h"
#include "ops/linalg/gemm.h"

namespace sdx::ops {
namespace {

struct PackedWeights : KernelState {
  PackedF32 weights;
};

Result<std::unique_ptr<KernelState>> prepare(const NodeFacts& facts) {
  const Tensor* w = facts.constant(1);
  if (w == nullptr || w->rank() != 2 || w->count() == 0) return std::unique_ptr<KernelState>();
  auto state = std::make_unique<PackedWeights>();
  SDX_ASSIGN(state->weights, PackedF32::create({w->data<float>(), w->dim(1), 1}, w->dim(0), w->dim(1)));
  return std::unique_ptr<KernelState>(std::move(state));
}

Status run(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &w = ctx.input(1);
  ScratchParts scratch(ctx);
  Tensor projected = scratch.take_tensor(DType::f32, Shape{x.dim(0), x.dim(1), w.dim(1)});
  GemmF32 product{.m = x.dim(0) * x.dim(1), .n = w.dim(1), .k = x.dim(2)};
  product.a = {x.data<float>(), x.dim(2), 1};
  product.b = {w.data<float>(), w.dim(1), 1};
  if (ctx.has_state()) product.packed = &ctx.state<PackedWeights>().weights;
  product.c = projected.data<float>();
  product.c_row = w.dim(1);
  if (ctx.has_input(2)) {
    product.start = GemmF32::Start::per_column;
    product.bias = ctx.input(2).data<float>();
  }
  SDX_TRY(gemm(ctx, product));
  return run_projected_attention(ctx, kAttentionInputs, projected, AttendPath::f32, &scratch);
}

Dim scratch_bytes(const ScratchFacts& facts) {
  ScratchSize size(facts);
  add_projected_scratch(size, kAttentionInputs);
  return size.bytes();
}

}  // namespace

SDX_CPU_KERNELS(ms_attention, {.name = "ms_attention_f32",
                               .can_run = takes<DType::f32>,
                               .prepare = prepare,
                               .run = run,
                               .scratch_bytes = scratch_bytes});

}  // namespace sdx::ops
