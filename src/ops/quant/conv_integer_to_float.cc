// ConvIntegerToFloat: y = float(sums + bias) * scale for the sums of ConvInteger over x [N, spatial..., C]; y lies
// alike. The bias has a number a filter; sums wrap.
#include "ops/input_rules.h"
#include "ops/quant/nhwc_qlinear_conv.h"
#include "ops/quant/quantization.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_conv_integer_to_float(InferContext& ctx) {
  constexpr DTypeSet kFloats = set_of(DType::f32);
  constexpr InputRule kRules[] = {{0, kBytes},
                                  {1, kBytes},
                                  {2, kBytes, kOptional},
                                  {3, kBytes, kOptional},
                                  {4, kFloats},
                                  {5, set_of(DType::i32), kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  SDX_ASSIGN(auto shape, infer_nhwc_convolution(ctx, 0, 1));
  if (ctx.has_input(5) && ctx.has_rank(5) && shape)
    SDX_TRY(ctx.require({Constraint::Kind::equal, shape->back(), ctx.input(5).dim(0)}, "the size of the bias"));
  return tensor_fact(DType::f32, std::move(shape));
}

Status conv_integer_to_float_reference(KernelContext& ctx) {
  Tensor& y = ctx.output(0);
  if (ctx.input(4).count() != 1) return invalid_argument("scale must be a scalar");
  const auto scale = static_cast<float>(load_double(ctx.input(4), 0));
  return convolve_nhwc(
      ctx, Channels::last, {.x = 0, .w = 1, .x_zero = 2, .w_zero = 3, .bias = 5},
      [&](int64_t at, int64_t, int32_t sum) { y.data<float>()[at] = static_cast<float>(sum) * scale; });
}

}  // namespace

SDX_OP(conv_integer_to_float) = {
    .name = "ConvIntegerToFloat",
    .domain = "sardonyx",
    .infer = infer_conv_integer_to_float,
    .reference = conv_integer_to_float_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
