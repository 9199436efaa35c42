// QLinearMatMul for 8-bit integers and float32 scales of a for the tensor.
#include "base/element.h"
#include "ops/quant/product_plan.h"

namespace sdx::ops {
namespace {

Verdict can_run_qlinear_matmul(const NodeFacts& facts) {
  for (const size_t i : {0, 3, 7})
    if (facts.dtype(i) != DType::u8 && facts.dtype(i) != DType::i8) return no("only 8-bit integers");
  if (facts.dtype(1) != DType::f32) return no("only float32 scales");
  const auto count = facts.input(1).known_shape(), columns = facts.input(4).known_shape();
  if (!count || count_of(*count) != 1) return no("only one scale for a");
  if (!columns || columns->size() > 1) return no("only one scale for b, or one a column");
  return yes();
}

Status run_qlinear_matmul(KernelContext& ctx) {
  if (ctx.input(6).count() != 1 || ctx.input(7).count() != 1)
    return invalid_argument("y_scale and y_zero_point must be scalars");
  const Tensor& b_scale = ctx.input(4);
  const int64_t n = ctx.input(3).rank() == 1 ? 1 : ctx.input(3).dim(ctx.input(3).rank() - 1);
  SDX_TRY(line_parameters(b_scale, n, 1, "b_scale").status());
  std::vector<float> multipliers;
  for (int64_t i = 0; i < b_scale.count(); ++i)
    multipliers.push_back(ctx.input(1).data<float>()[0] * b_scale.data<float>()[i] / ctx.input(6).data<float>()[0]);
  const int step = multipliers.size() == 1 ? 0 : 1;
  const ProductOperands operands{
      .a = &ctx.input(0), .a_zero = &ctx.input(2), .b = &ctx.input(3), .b_zero = &ctx.input(5)};
  const Requantization to{.zero = static_cast<int32_t>(load_i64(ctx.input(7), 0)),
                          .is_signed = ctx.input(7).dtype() == DType::i8};
  const auto requantize = requantize_kernel();
  auto* y = ctx.output(0).data<uint8_t>();
  return run_product(ctx, operands, ScratchParts(ctx), [&](const ProductBlock& block) {
    for (int64_t row = 0; row < block.rows; ++row)
      requantize(block.c + row * block.c_stride, 0, multipliers.data() + step * block.column, step, to,
                 y + (block.first_row + row) * block.width + block.column, static_cast<size_t>(block.columns));
  });
}

}  // namespace

SDX_CPU_KERNELS(qlinear_matmul,
                {.name = "qlinear_matmul_8",
                 .can_run = can_run_qlinear_matmul,
                 .prepare = [](const NodeFacts& facts) { return prepare_panels(facts.constant(3)); },
                 .run = run_qlinear_matmul,
                 .packs_inputs = input_bit(3),
                 .scratch_bytes = [](const ScratchFacts& f) { return product_scratch(f, 0, 3, f.node.dtype(0)); },
                 .packed_bytes = [](const NodeFacts& f) { return packed_panels_bytes(f.constant(3)); }});

}  // namespace sdx::ops
