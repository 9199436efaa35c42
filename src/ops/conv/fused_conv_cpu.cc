#include "base/simd_targets.h"  // first

#include "kernel/clamp-inl.h"
#include "ops/conv/conv_weights.h"
#include "ops/elementwise.h"
#include "ops/fused_activation.h"
#include "ops/through_f32.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// y = clip(y + z); NaN stays.
void add_and_clip(const float* z, float low, float high, float* y, size_t count) {
  const hn::ScalableTag<float> d;
  const auto least = hn::Set(d, low), most = hn::Set(d, high);
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const size_t n = HWY_MIN(hn::Lanes(d), count - i);
    const auto sum = hn::Add(load_n(d, y + i, n), load_n(d, z + i, n));
    store_n(clamped(least, most, sum), d, y + i, n);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
// FusedConv for float32, and for 16-bit types through it.
namespace sdx::ops {
namespace {

// In one pass behind the convolution: sums that start from z keep it out of its fastest form.
Status add_and_clip_output(KernelContext& ctx, const float* z, float low, float high) {
  float* y = ctx.output(0).data<float>();
  const auto kernel = SDX_DISPATCH(add_and_clip);
  return parallel_ranges(ctx, ctx.output(0).count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    kernel(z + begin, low, high, y + begin, static_cast<size_t>(end - begin));
  });
}

Status run_fused_conv_f32(KernelContext& ctx) {
  SDX_ASSIGN(const FusedActivation activation, activation_of(ctx.attributes()));
  const ConvEnd clip{.low = activation.low(), .high = activation.high()};
  if (ctx.has_input(3)) {
    SDX_TRY(run_conv_f32(ctx, {}));
    SDX_TRY(add_and_clip_output(ctx, ctx.input(3).data<float>(), clip.low, clip.high));
  } else {
    SDX_TRY(run_conv_f32(ctx, clip));
  }
  return activation.is_clip() ? Status() : apply_activation_f32(ctx, activation, ctx.output(0));
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
#endif
