// DynamicQuantizeMatMul for float32.
#include "ops/quant/dynamic_quantization.h"
#include "ops/quant/product_plan.h"

namespace sdx::ops {
namespace {

Status run_dynamic_matmul(KernelContext& ctx) {
  const Tensor& a = ctx.input(0);
  const auto optional = [&](size_t i) { return ctx.has_input(i) ? &ctx.input(i) : nullptr; };
  ScratchParts scratch(ctx);
  DynamicScale to;
  SDX_ASSIGN(to, dynamic_scale_of(ctx, a.data<float>(), a.count()));
  Tensor codes = scratch.take_tensor(DType::u8, Shape(a.shape()));
  SDX_TRY(quantize_dynamic(ctx, a.data<float>(), a.count(), to, codes.data<uint8_t>()));
  const Tensor zero = Tensor::wrap(DType::u8, Shape{}, &to.zero_point, nullptr);
  const ProductOperands operands{.a = &codes, .a_zero = &zero, .b = &ctx.input(1), .b_zero = optional(3)};
  return run_float_product(
      ctx, operands,
      {.a_scale = to.scale, .b_scale = &ctx.input(2), .bias = optional(4), .y = ctx.output(0).data<float>()}, scratch);
}

Dim dynamic_matmul_scratch(const ScratchFacts& facts) {
  ScratchSize codes(facts);
  codes.part(codes.input_count(0), 1);
  return facts.symbols.add(codes.bytes(), float_product_scratch(facts, 0, 1, DType::u8));
}

}  // namespace

SDX_CPU_KERNELS(dynamic_quantize_matmul,
                {.name = "dynamic_quantize_matmul_f32",
                 .can_run =
                     [](const NodeFacts& f) {
                       return f.dtype(0) == DType::f32 ? has_float_tail(f, SIZE_MAX, 2) : no("only float32");
                     },
                 .prepare = [](const NodeFacts& f) { return prepare_panels(f.constant(1)); },
                 .run = run_dynamic_matmul,
                 .packs_inputs = input_bit(1),
                 .scratch_bytes = dynamic_matmul_scratch,
                 .packed_bytes = [](const NodeFacts& f) { return packed_panels_bytes(f.constant(1)); }});

}  // namespace sdx::ops
