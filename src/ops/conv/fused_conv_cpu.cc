// FusedConv for float32.
#include <cstring>

#include "ops/conv/conv_weights.h"
#include "ops/elementwise.h"
#include "ops/fused_activation.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

// y = z + bias of the channel.
Status begin_from(KernelContext& ctx, const Tensor& z) {
  Tensor& y = ctx.output(0);
  if (!ctx.has_input(2)) {
    std::memcpy(y.raw(), z.raw(), y.byte_size());
    return {};
  }
  const int64_t plane = count_range(y.shape(), 2, y.shape().size()), channels = y.dim(1);
  const float* bias = ctx.input(2).data<float>();
  return parallel_ranges(ctx, y.dim(0) * channels,
                         std::max<int64_t>(1, kElementwiseGrain / std::max<int64_t>(plane, 1)),
                         [&](int64_t begin, int64_t end) {
                           for (int64_t i = begin * plane; i < end * plane; ++i)
                             y.data<float>()[i] = z.data<float>()[i] + bias[i / plane % channels];
                         });
}

Status run_fused_conv_f32(KernelContext& ctx) {
  SDX_ASSIGN(const FusedActivation activation,
             read_activation(ctx.attr_string("activation", ""), ctx.attributes().get_floats("activation_params")));
  const bool has_z = ctx.has_input(3);
  if (has_z) SDX_TRY(begin_from(ctx, ctx.input(3)));
  SDX_TRY(run_conv_f32(ctx, {.low = activation.low(), .high = activation.high(), .from_output = has_z}));
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
