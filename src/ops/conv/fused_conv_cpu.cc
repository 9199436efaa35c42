// FusedConv for float32.
#include "ops/conv/conv_weights.h"
#include "ops/elementwise.h"
#include "ops/fused_activation.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

// y = clip(y + z), in one pass behind the convolution: sums that start from z keep it out of its fastest form.
Status add_and_clip(KernelContext& ctx, const float* z, float low, float high) {
  float* y = ctx.output(0).data<float>();
  return parallel_ranges(ctx, ctx.output(0).count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float sum = y[i] + z[i];
      y[i] = sum < low ? low : sum > high ? high : sum;
    }
  });
}

Status run_fused_conv_f32(KernelContext& ctx) {
  SDX_ASSIGN(const FusedActivation activation,
             read_activation(ctx.attr_string("activation", ""), ctx.attributes().get_floats("activation_params")));
  const ConvEnd clip{.low = activation.low(), .high = activation.high()};
  if (ctx.has_input(3)) {
    SDX_TRY(run_conv_f32(ctx, {}));
    SDX_TRY(add_and_clip(ctx, ctx.input(3).data<float>(), clip.low, clip.high));
  } else {
    SDX_TRY(run_conv_f32(ctx, clip));
  }
  return apply_activation_f32(ctx, activation, ctx.output(0));
}

}  // namespace

SDX_CPU_KERNELS(fused_conv,
                {.name = "fused_conv_f32",
                 .can_run = can_run_conv_f32,
                 .prepare = prepare_conv_f32,
                 .run = run_fused_conv_f32,
                 .packs_inputs = input_bit(1),
                 .scratch_bytes = conv_scratch,
                 .packed_bytes = conv_packed_bytes},
                {.name = "fused_conv_half",
                 .can_run = can_run_conv_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_fused_conv_f32); },
                 .scratch_bytes = [](const ScratchFacts& f) { return through_f32_scratch(f); }});

}  // namespace sdx::ops
