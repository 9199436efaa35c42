// QAttention with float32 scales.
#include "ops/attention/qattention.h"
#include "ops/quant/product_plan.h"

namespace sdx::ops {
namespace {

Verdict takes_f32(const NodeFacts& facts) { return facts.dtype(2) == DType::f32 ? yes() : no("only f32"); }

Result<std::unique_ptr<KernelState>> prepare(const NodeFacts& facts) { return prepare_panels(facts.constant(1)); }

Status run(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &w = ctx.input(1), &bias = ctx.input(2), &scale = ctx.input(3),
               &columns = ctx.input(4);
  const int64_t width = w.dim(1);
  if (scale.count() != 1) return invalid_argument("input_scale has {} values, a scalar is wanted", scale.count());
  if (columns.count() != 1 && columns.count() != width)
    return invalid_argument("weight_scale has {} values, 1 or {} are wanted", columns.count(), width);
  const auto optional = [&](size_t i) { return ctx.has_input(i) ? &ctx.input(i) : nullptr; };
  ScratchParts scratch(ctx);
  Tensor projected = scratch.take_tensor(DType::f32, Shape{x.dim(0), x.dim(1), width});
  const ProductOperands operands{.a = &x, .a_zero = optional(6), .b = &w, .b_zero = optional(7)};
  SDX_TRY(run_float_product(
      ctx, operands,
      {.a_scale = scale.data<float>()[0], .b_scale = &columns, .bias = &bias, .y = projected.data<float>()}, scratch));
  return run_projected_attention(ctx, kQAttentionInputs, projected, AttendPath::f32, &scratch);
}

// The product and the heads take turns behind the projected tensor.
Dim scratch_bytes(const ScratchFacts& facts) {
  ScratchSize projected(facts), heads(facts);
  projected.part(projected.product({projected.input(0, 0), projected.input(0, 1), projected.input(1, 1)}),
                 sizeof(float));
  add_projected_scratch(heads, kQAttentionInputs);
  return facts.symbols.max(
      facts.symbols.add(projected.bytes(), float_product_scratch(facts, 0, 1, facts.node.dtype(0))), heads.bytes());
}

}  // namespace

SDX_CPU_KERNELS(qattention, {.name = "qattention_8",
                             .can_run = takes_f32,
                             .prepare = prepare,
                             .run = run,
                             .packs_inputs = input_bit(1),
                             .scratch_bytes = scratch_bytes,
                             .packed_bytes = [](const NodeFacts& f) { return packed_panels_bytes(f.constant(1)); }});

}  // namespace sdx::ops
