#include "base/simd_targets.h"  // first

#include "kernel/clamp-inl.h"
#include "ops/conv/few_pixels.h"
#include "ops/dot_tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::PixelDots;

constexpr int kFilters = 4;

// Four filters, or one.
template <int kPixels>
HWY_INLINE void multiply_tile(const PixelDots& t, int64_t filter, int64_t filters, int64_t pixel) {
  const FourFloats d;
  constexpr int64_t kAheadFilters = 4;
  const int64_t step = filters == kFilters ? t.depth : 0;
  hn::Vec<FourFloats> sums[kPixels];
  dot_four<kPixels>(t.columns + pixel * t.depth, t.depth, t.weights + filter * t.depth, step,
                    static_cast<size_t>(t.depth), kAheadFilters * t.depth, sums);
  const auto low = hn::Set(d, t.low), high = hn::Set(d, t.high);
  const auto bias = t.bias != nullptr ? load_n(d, t.bias + filter, static_cast<size_t>(filters)) : hn::Zero(d);
  HWY_ALIGN float made[kFilters];
  for (int p = 0; p < kPixels; ++p) {
    hn::Store(clamped(low, high, hn::Add(sums[p], bias)), d, made);
    float* y = t.y + filter * t.y_row + pixel + p;
    for (int64_t f = 0; f < filters; ++f) y[f * t.y_row] = made[f];
  }
}

void multiply_filters(const PixelDots& t, int64_t filter, int64_t filters) {
  int64_t pixel = 0;
  for (; pixel + 4 <= t.pixels; pixel += 4) multiply_tile<4>(t, filter, filters, pixel);
  if (t.pixels - pixel == 3) return multiply_tile<3>(t, filter, filters, pixel);
  if (t.pixels - pixel == 2) return multiply_tile<2>(t, filter, filters, pixel);
  if (t.pixels - pixel == 1) multiply_tile<1>(t, filter, filters, pixel);
}

void dot_pixels(const PixelDots& t) {
  int64_t filter = 0;
  for (; filter + kFilters <= t.filters; filter += kFilters) multiply_filters(t, filter, kFilters);
  for (; filter < t.filters; ++filter) multiply_filters(t, filter, 1);
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

DotPixels dot_pixels_kernel() { return SDX_DISPATCH(dot_pixels); }

}  // namespace sdx::ops
#endif
