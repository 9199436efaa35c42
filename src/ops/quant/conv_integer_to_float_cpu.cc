// ConvIntegerToFloat with one or two spatial axes.
#include "ops/quant/last_convolution.h"

namespace sdx::ops {
namespace {

Status run_conv_integer_to_float(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &w = ctx.input(1);
  Shape x_shape(x.shape());
  std::rotate(x_shape.begin() + 1, x_shape.end() - 1, x_shape.end());
  SDX_ASSIGN(const ConvolutionShape shape, convolution_shape(ctx.attributes(), x_shape, w.shape()));
  if (ctx.has_input(2) && ctx.input(2).count() != 1) return invalid_argument("x_zero_point must be a scalar");
  if (ctx.input(4).count() != 1) return invalid_argument("scale must be a scalar");
  if (ctx.has_input(5) && ctx.input(5).count() != shape.filters)
    return invalid_argument("the bias has {} values, {} are wanted", ctx.input(5).count(), shape.filters);
  ConvolutionOperands operands{.x = &x,
                               .x_zero = ctx.has_input(2) ? static_cast<int32_t>(load_i64(ctx.input(2), 0)) : 0,
                               .w = &w,
                               .w_zeros = {},
                               .bias = ctx.has_input(5) ? ctx.input(5).data<int32_t>() : nullptr};
  SDX_ASSIGN(operands.w_zeros, filter_zeros(ctx, 3, shape.filters));
  return run_last_convolution(
      ctx, shape, operands,
      {.multipliers = std::span(ctx.input(4).data<float>(), 1), .to = {}, .floats = ctx.output(0).data<float>()});
}

Verdict can_run_conv_integer_to_float(const NodeFacts& facts) {
  if (Verdict verdict = can_run_last_convolution(facts, 0, 1); !verdict) return verdict;
  const auto shape = facts.input(1).known_shape();
  const bool is_depthwise = shape && (*shape)[1] == 1 && facts.attr_int("group", 1) > 1;
  return is_depthwise ? no("a filter a channel") : yes();
}

}  // namespace

SDX_CPU_KERNELS(conv_integer_to_float,
                {.name = "conv_integer_to_float_8",
                 .can_run = can_run_conv_integer_to_float,
                 .prepare = [](const NodeFacts& facts) { return prepare_last_filters(facts, 1); },
                 .run = run_conv_integer_to_float,
                 .packs_inputs = input_bit(1),
                 .scratch_bytes = [](const ScratchFacts& f) { return last_convolution_scratch(f, 0, 1); },
                 .packed_bytes = [](const NodeFacts& f) { return packed_last_filter_bytes(f, 1); }});

}  // namespace sdx::ops
