// QLinearConvAdd: the sum is made where the convolution's codes are.
#include "ops/quant/last_convolution.h"
#include "ops/quant/nhwc_qlinear_conv.h"

namespace sdx::ops {
namespace {

Status run_qlinear_conv_add(KernelContext& ctx) {
  SDX_ASSIGN(const ConvolutionSum own, convolution_sum(ctx));
  return run_last_qlinear_conv(ctx, {.kernel = add_codes_kernel(),
                                     .sum = qlinear_sum(own.scales),
                                     .convolution_is_second = own.is_second,
                                     .other = ctx.input(9).data<uint8_t>()});
}

Verdict can_run_qlinear_conv_add(const NodeFacts& facts) {
  if (facts.attr_int("channels_last", 0) == 0) return no("the channels are not last");
  return can_run_last_convolution(facts, 0, 3);
}

}  // namespace

SDX_CPU_KERNELS(qlinear_conv_add,
                {.name = "qlinear_conv_add_8",
                 .can_run = can_run_qlinear_conv_add,
                 .prepare = [](const NodeFacts& facts) { return prepare_last_filters(facts, 3); },
                 .run = run_qlinear_conv_add,
                 .packs_inputs = input_bit(3),
                 .scratch_bytes = [](const ScratchFacts& f) { return last_convolution_scratch(f, 0, 3); },
                 .packed_bytes = [](const NodeFacts& f) { return packed_last_filter_bytes(f, 3); }});

}  // namespace sdx::ops
