// MatMulIntegerToFloat: y = (a - a_zero_point) (b - b_zero_point) * a_scale * b_scale + bias. b's scale and zero point
// are for the tensor or a column.
#include "ops/input_rules.h"
#include "ops/op.h"
#include "ops/quant/scaled_product.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_to_float(InferContext& ctx) {
  constexpr InputRule kRules[] = {{0, kBytes},
                                  {1, kBytes},
                                  {2, set_of(DType::f32, DType::f16)},
                                  {3, set_of(DType::f32, DType::f16)},
                                  {4, kBytes, kOptional},
                                  {5, kBytes, kOptional},
                                  {6, set_of(DType::f32, DType::f16), kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  SDX_ASSIGN(auto shape, infer_matmul(ctx, 0, 1));
  return tensor_fact(ctx.dtype(2), std::move(shape));
}

Status to_float_reference(KernelContext& ctx) {
  const auto optional = [&](size_t i) { return ctx.has_input(i) ? &ctx.input(i) : nullptr; };
  return scaled_product(ctx,
                        {.a = &ctx.input(0),
                         .a_scale = &ctx.input(2),
                         .a_zero = optional(4),
                         .b = &ctx.input(1),
                         .b_scale = &ctx.input(3),
                         .b_zero = optional(5),
                         .bias = optional(6)},
                        ctx.output(0));
}

}  // namespace

SDX_OP(matmul_integer_to_float) = {
    .name = "MatMulIntegerToFloat",
    .domain = "com.microsoft",
    .infer = infer_to_float,
    .reference = to_float_reference,
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
