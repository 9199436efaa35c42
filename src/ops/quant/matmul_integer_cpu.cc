// Integer matrix products of 8-bit operands: MatMulInteger.
#include "ops/quant/product_plan.h"

namespace sdx::ops {
namespace {

Result<std::unique_ptr<KernelState>> prepare_matmul_integer(const NodeFacts& facts) {
  return prepare_panels(facts.constant(1));
}

Status run_matmul_integer(KernelContext& ctx) {
  const auto optional = [&](size_t i) { return ctx.has_input(i) ? &ctx.input(i) : nullptr; };
  const ProductOperands operands{.a = &ctx.input(0), .a_zero = optional(2), .b = &ctx.input(1), .b_zero = optional(3)};
  auto* y = ctx.output(0).data<int32_t>();
  return run_product(ctx, operands, ScratchParts(ctx), [&](const ProductBlock& block) {
    for (int64_t row = 0; row < block.rows; ++row)
      std::memcpy(y + (block.first_row + row) * block.width + block.column, block.c + row * block.c_stride,
                  static_cast<size_t>(block.columns) * sizeof(int32_t));
  });
}

}  // namespace

SDX_CPU_KERNELS(matmul_integer,
                {.name = "matmul_integer_8",
                 .can_run = [](const NodeFacts&) { return yes(); },
                 .prepare = prepare_matmul_integer,
                 .run = run_matmul_integer,
                 .packs_inputs = input_bit(1),
                 .scratch_bytes = [](const ScratchFacts& f) { return product_scratch(f, 0, 1, f.node.dtype(0)); },
                 .packed_bytes = [](const NodeFacts& f) { return packed_panels_bytes(f.constant(1)); }});

}  // namespace sdx::ops
