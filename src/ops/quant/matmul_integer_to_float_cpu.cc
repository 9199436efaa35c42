// MatMulIntegerToFloat with float32 scales of a for the tensor.
#include "ops/quant/product_plan.h"

namespace sdx::ops {
namespace {

Status run_to_float(KernelContext& ctx) {
  const auto optional = [&](size_t i) { return ctx.has_input(i) ? &ctx.input(i) : nullptr; };
  const ProductOperands operands{.a = &ctx.input(0), .a_zero = optional(4), .b = &ctx.input(1), .b_zero = optional(5)};
  return run_float_product(ctx, operands,
                           {.a_scale = ctx.input(2).data<float>()[0],
                            .b_scale = &ctx.input(3),
                            .bias = optional(6),
                            .y = ctx.output(0).data<float>()},
                           ScratchParts(ctx));
}

}  // namespace

SDX_CPU_KERNELS(matmul_integer_to_float,
                {.name = "matmul_integer_to_float_8",
                 .can_run =
                     [](const NodeFacts& f) {
                       return f.dtype(2) == DType::f32 ? has_float_tail(f, 2, 3) : no("only float32");
                     },
                 .prepare = [](const NodeFacts& f) { return prepare_panels(f.constant(1)); },
                 .run = run_to_float,
                 .packs_inputs = input_bit(1),
                 .scratch_bytes = [](const ScratchFacts& f) { return float_product_scratch(f, 0, 1, f.node.dtype(0)); },
                 .packed_bytes = [](const NodeFacts& f) { return packed_panels_bytes(f.constant(1)); }});

}  // namespace sdx::ops
