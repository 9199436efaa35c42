// DynamicQuantizeMatMul: a is quantized to uint8 by its own range (as DynamicQuantizeLinear), multiplied with the 8-bit
// b, and scaled back. b's scale and zero point are for the tensor or a column.
#include "ops/input_rules.h"
#include "ops/quant/dynamic_quantization.h"
#include "ops/quant/scaled_product.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_dynamic_matmul(InferContext& ctx) {
  constexpr InputRule kRules[] = {{0, set_of(DType::f32)},
                                  {1, kBytes},
                                  {2, set_of(DType::f32)},
                                  {3, kBytes, kOptional},
                                  {4, set_of(DType::f32), kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  SDX_ASSIGN(auto shape, infer_matmul(ctx, 0, 1));
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

Status dynamic_matmul_reference(KernelContext& ctx) {
  const Tensor& a = ctx.input(0);
  float low = 0, high = 0;
  for (int64_t i = 0; i < a.count(); ++i) {
    const auto v = static_cast<float>(load_double(a, i));
    if (v < low) low = v;
    if (v > high) high = v;
  }
  const DynamicScale to = dynamic_scale(low, high);
  SDX_ASSIGN(Tensor quantized, Tensor::allocate(DType::u8, a.shape()));
  for (int64_t i = 0; i < a.count(); ++i)
    store_quantized(quantized, i, static_cast<float>(load_double(a, i)) / to.scale, to.zero_point);
  const Tensor scale = scalar_f32(to.scale);
  SDX_ASSIGN(Tensor zero, Tensor::allocate(DType::u8, Shape{}));
  store_i64(zero, 0, to.zero_point);
  const auto optional = [&](size_t i) { return ctx.has_input(i) ? &ctx.input(i) : nullptr; };
  return scaled_product(ctx,
                        {.a = &quantized,
                         .a_scale = &scale,
                         .a_zero = &zero,
                         .b = &ctx.input(1),
                         .b_scale = &ctx.input(2),
                         .b_zero = optional(3),
                         .bias = optional(4)},
                        ctx.output(0));
}

}  // namespace

SDX_OP(dynamic_quantize_matmul) = {
    .name = "DynamicQuantizeMatMul",
    .domain = "com.microsoft",
    .infer = infer_dynamic_matmul,
    .reference = dynamic_matmul_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
