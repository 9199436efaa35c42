#include "ops/quant/qlinear_conv_call.h"

namespace sdx::ops {

Result<QLinearConvCall> qlinear_conv_call(const KernelContext& ctx, std::span<const int64_t> x_shape) {
  const Tensor &w = ctx.input(3), &w_scale = ctx.input(4);
  QLinearConvCall call;
  SDX_ASSIGN(call.shape, convolution_shape(ctx.attributes(), x_shape, w.shape()));
  const int64_t filters = call.shape.filters;
  for (const size_t i : {1, 2, 6, 7})
    if (ctx.input(i).count() != 1) return invalid_argument("input {} must be a scalar", i);
  if (w_scale.count() != 1 && w_scale.count() != filters)
    return invalid_argument("w_scale has {} values, 1 or {} are wanted", w_scale.count(), filters);
  if (ctx.has_input(8) && ctx.input(8).count() != filters)
    return invalid_argument("the bias has {} values, {} are wanted", ctx.input(8).count(), filters);
  call.operands = {.x = &ctx.input(0),
                   .x_zero = static_cast<int32_t>(load_i64(ctx.input(2), 0)),
                   .w = &w,
                   .w_zeros = {},
                   .bias = ctx.has_input(8) ? ctx.input(8).data<int32_t>() : nullptr};
  SDX_ASSIGN(call.operands.w_zeros, filter_zeros(ctx, 5, filters));
  const float x_by = ctx.input(1).data<float>()[0], y_by = ctx.input(6).data<float>()[0];
  const auto* w_by = w_scale.data<float>();
  call.multipliers.resize(static_cast<size_t>(w_scale.count()));
  for (size_t i = 0; i < call.multipliers.size(); ++i) call.multipliers[i] = x_by * w_by[i] / y_by;
  call.to = {.zero = static_cast<int32_t>(load_i64(ctx.input(7), 0)), .is_signed = ctx.input(7).dtype() == DType::i8};
  return call;
}

}  // namespace sdx::ops
