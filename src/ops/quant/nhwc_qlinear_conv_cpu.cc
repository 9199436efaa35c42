// QLinearConv of com.microsoft with the channels last.
#include "ops/quant/last_convolution.h"
#include "ops/quant/qlinear_conv_call.h"

namespace sdx::ops {

Status run_last_qlinear_conv(KernelContext& ctx, const SumOfCodes& sum) {
  Shape x_shape(ctx.input(0).shape());
  std::rotate(x_shape.begin() + 1, x_shape.end() - 1, x_shape.end());
  SDX_ASSIGN(const QLinearConvCall call, qlinear_conv_call(ctx, x_shape));
  return run_last_convolution(
      ctx, call.shape, call.operands,
      {.multipliers = call.multipliers, .to = call.to, .y = ctx.output(0).data<uint8_t>(), .sum = sum});
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
