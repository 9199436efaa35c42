// Clip for float32, for 16-bit floats through it, for integers and float64.
#include "base/simd_targets.h"  // first

#include <limits>

#include "base/element.h"
#include "kernel/clamp-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/native_loops.h"

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

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float bound_of(const KernelContext& ctx, size_t input, float otherwise) {
  if (!ctx.has_input(input)) return otherwise;
  return static_cast<float>(load_double(ctx.input(input), 0));
}

Status run_clip(KernelContext& ctx) {
  return run_unary(ctx, clip_f32(), {bound_of(ctx, 1, -kInfinity), bound_of(ctx, 2, kInfinity)});
}

template <typename T>
struct Ends {
  static constexpr T kLow = std::numeric_limits<T>::lowest(), kHigh = std::numeric_limits<T>::max();
};
template <>
struct Ends<double> {
  static constexpr double kHigh = std::numeric_limits<double>::infinity(), kLow = -kHigh;
};

Status run_clip_native(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const int64_t width = bit_width(x.dtype()) / 8;
  const void *low = nullptr, *high = nullptr;
  visit_native(x.dtype(), [&](auto sample) {
    using T = decltype(sample);
    if constexpr (std::is_arithmetic_v<T>) {
      static constexpr T kLow = Ends<T>::kLow, kHigh = Ends<T>::kHigh;
      low = ctx.has_input(1) ? ctx.input(1).raw() : &kLow;
      high = ctx.has_input(2) ? ctx.input(2).raw() : &kHigh;
    }
  });
  const NativeClip clip = native_clip(x.dtype());
  const auto* from = static_cast<const std::byte*>(x.raw());
  auto* to = static_cast<std::byte*>(ctx.output(0).raw());
  return parallel_ranges(ctx, x.count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    clip(from + begin * width, low, high, to + begin * width, static_cast<size_t>(end - begin));
  });
}

}  // namespace

SDX_CPU_KERNELS(clip, {.name = "clip", .can_run = takes_floats, .run = run_clip},
                {.name = "clip_native", .can_run = takes_native_numbers, .run = run_clip_native});

}  // namespace sdx::ops
#endif
