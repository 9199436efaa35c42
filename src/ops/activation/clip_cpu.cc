// Clip for float32.
#include "base/simd_targets.h"  // first

#include "kernel/clamp-inl.h"
#include "ops/elementwise_maps.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

void clip_f32(const float* x, float* y, size_t count, ops::Parameters bounds) {
  const hn::ScalableTag<float> d;
  const auto lows = hn::Set(d, bounds.alpha), highs = hn::Set(d, bounds.beta);
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto v = load_n(d, x + i, count - i);
    store_n(clamped(lows, highs, v), d, y + i, count - i);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32With clip_f32() { return SDX_DISPATCH(clip_f32); }

namespace {

Status run_clip_f32(KernelContext& ctx) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float low = ctx.has_input(1) ? aligned_value<float>(ctx.input(1)) : -kInfinity;
  const float high = ctx.has_input(2) ? aligned_value<float>(ctx.input(2)) : kInfinity;
  const float* x = ctx.input(0).data<float>();
  float* y = ctx.output(0).data<float>();
  const auto kernel = clip_f32();
  return parallel_ranges(ctx, ctx.input(0).count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    kernel(x + begin, y + begin, static_cast<size_t>(end - begin), {low, high});
  });
}

}  // namespace

SDX_CPU_KERNELS(clip, {.name = "clip_f32", .can_run = takes<DType::f32>, .run = run_clip_f32});

}  // namespace sdx::ops
#endif
