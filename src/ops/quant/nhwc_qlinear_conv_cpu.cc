// QLinearConv of com.microsoft with the channels last.
#include "ops/quant/last_convolution.h"

namespace sdx::ops {

Status run_last_qlinear_conv(KernelContext& ctx, const SumOfCodes& sum) {
  const Tensor &x = ctx.input(0), &w = ctx.input(3), &w_scale = ctx.input(4);
  Shape x_shape(x.shape());
  std::rotate(x_shape.begin() + 1, x_shape.end() - 1, x_shape.end());
  SDX_ASSIGN(const ConvolutionShape shape, convolution_shape(ctx.attributes(), x_shape, w.shape()));
  for (const size_t i : {1, 2, 6, 7})
    if (ctx.input(i).count() != 1) return invalid_argument("input {} must be a scalar", i);
  if (w_scale.count() != 1 && w_scale.count() != shape.filters)
    return invalid_argument("w_scale has {} values, 1 or {} are wanted", w_scale.count(), shape.filters);
  if (ctx.has_input(8) && ctx.input(8).count() != shape.filters)
    return invalid_argument("the bias has {} values, {} are wanted", ctx.input(8).count(), shape.filters);
  ConvolutionOperands operands{.x = &x,
                               .x_zero = static_cast<int32_t>(load_i64(ctx.input(2), 0)),
                               .w = &w,
                               .w_zeros = {},
                               .bias = ctx.has_input(8) ? ctx.input(8).data<int32_t>() : nullptr};
  SDX_ASSIGN(operands.w_zeros, filter_zeros(ctx, 5, shape.filters));
  std::vector<float> multipliers(static_cast<size_t>(w_scale.count()));
  const float x_by = ctx.input(1).data<float>()[0], y_by = ctx.input(6).data<float>()[0];
  const float* w_by = w_scale.data<float>();
  for (size_t i = 0; i < multipliers.size(); ++i) multipliers[i] = x_by * w_by[i] / y_by;
  return run_last_convolution(
      ctx, shape, operands,
      {.multipliers = multipliers,
       .to = {.zero = static_cast<int32_t>(load_i64(ctx.input(7), 0)), .is_signed = ctx.input(7).dtype() == DType::i8},
       .y = ctx.output(0).data<uint8_t>(),
       .sum = sum});
}

namespace {

Verdict can_run_nhwc_qlinear_conv(const NodeFacts& facts) {
  if (facts.attr_int("channels_last", 0) == 0) return no("the channels are not last");
  return can_run_last_convolution(facts, 0, 3);
}

}  // namespace

SDX_CPU_KERNELS(nhwc_qlinear_conv,
                {.name = "nhwc_qlinear_conv_8",
                 .can_run = can_run_nhwc_qlinear_conv,
                 .prepare = [](const NodeFacts& facts) { return prepare_last_filters(facts, 3); },
                 .run = [](KernelContext& ctx) { return run_last_qlinear_conv(ctx, {}); },
                 .packs_inputs = input_bit(3),
                 .scratch_bytes = [](const ScratchFacts& f) { return last_convolution_scratch(f, 0, 3); },
                 .packed_bytes = [](const NodeFacts& f) { return packed_last_filter_bytes(f, 3); }});

}  // namespace sdx::ops
