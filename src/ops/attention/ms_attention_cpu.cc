// com.microsoft's Attention for float32.
#include "ops/attention/ms_attention.h"
#include "ops/elementwise.h"
#include "ops/linalg/packed_weights.h"

namespace sdx::ops {
namespace {

MaybeMatrix weight_matrix(const Tensor& w) {
  if (w.rank() != 2) return std::nullopt;
  return WeightMatrix{{w.data<float>(), w.dim(1), 1}, w.dim(0), w.dim(1)};
}

Result<std::unique_ptr<KernelState>> prepare(const NodeFacts& facts) {
  const Tensor* w = facts.constant(1);
  return w != nullptr ? pack_weights(*w, weight_matrix(*w)) : std::unique_ptr<KernelState>();
}

int64_t packed_bytes(const NodeFacts& facts) {
  const Tensor* w = facts.constant(1);
  return w != nullptr ? packed_weights_bytes(*w, weight_matrix(*w)) : 0;
}

Status run(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &w = ctx.input(1);
  ScratchParts scratch(ctx);
  Tensor projected = scratch.take_tensor(DType::f32, Shape{x.dim(0), x.dim(1), w.dim(1)});
  GemmF32 product{.m = x.dim(0) * x.dim(1), .n = w.dim(1), .k = x.dim(2)};
  product.a = {x.data<float>(), x.dim(2), 1};
  product.b = {w.data<float>(), w.dim(1), 1};
  use_packed_weights(ctx, product);
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
                               .packs_inputs = input_bit(1),
                               .scratch_bytes = scratch_bytes,
                               .packed_bytes = packed_bytes});

}  // namespace sdx::ops
