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
  const float* column_scale = columns.data<float>();
  const int64_t step = columns.count() == 1 ? 0 : 1;
  const float x_scale = scale.data<float>()[0];
  SDX_TRY(run_product(ctx, operands, scratch, [&](const ProductBlock& block) {
    for (int64_t row = 0; row < block.rows; ++row) {
      float* to = projected.data<float>() + (block.first_row + row) * width + block.column;
      const int32_t* from = block.c + row * block.c_stride;
      for (int64_t j = 0; j < block.columns; ++j) {
        const int64_t column = block.column + j;
        to[j] = static_cast<float>(from[j]) * (x_scale * column_scale[step * column]) + bias.data<float>()[column];
      }
    }
  }));
  return run_projected_attention(ctx, kQAttentionInputs, projected, AttendPath::f32, &scratch);
}

// The product and the heads take turns behind the projected tensor.
Dim scratch_bytes(const ScratchFacts& facts) {
  ScratchSize projected(facts), heads(facts);
  projected.part(projected.product({projected.input(0, 0), projected.input(0, 1), projected.input(1, 1)}),
                 sizeof(float));
  add_projected_scratch(heads, kQAttentionInputs);
  return facts.symbols.max(facts.symbols.add(projected.bytes(), product_scratch(facts, 0, 1)), heads.bytes());
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
