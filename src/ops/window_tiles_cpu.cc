// Sums and maxima over the kernel elements of windows, a vector of neighbouring outputs at a time.
#include "base/simd_targets.h"  // first

#include "kernel/clamp-inl.h"
#include "ops/window_tiles.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::WindowRow;

// kVectors neighbouring vectors of outputs, the first at column j.
template <int kVectors>
HWY_INLINE void weighted_group(const WindowRow& row, int64_t j, const float* weights, float start, float low,
                               float high) {
  const hn::ScalableTag<float> d;
  using V = hn::VFromD<decltype(d)>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  V sum[kVectors];
  for (int v = 0; v < kVectors; ++v) sum[v] = hn::Set(d, start);
  for (int64_t t = 0; t < row.taps; ++t) {
    const V weight = hn::Set(d, weights[t]);
    const float* from = row.copy + row.offsets[t] + j;
    for (int v = 0; v < kVectors; ++v) sum[v] = hn::MulAdd(weight, hn::LoadU(d, from + v * lanes), sum[v]);
  }
  for (int v = 0; v < kVectors; ++v) {
    store_n(clamped(hn::Set(d, low), hn::Set(d, high), sum[v]), d, row.y + j + v * lanes,
            static_cast<size_t>(row.count - j - v * lanes));
  }
}

void weighted_sum(const WindowRow& row, const float* weights, float start, float low, float high) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
  int64_t j = 0;
  for (; j + 4 * lanes <= row.count; j += 4 * lanes) weighted_group<4>(row, j, weights, start, low, high);
  for (; j + 2 * lanes <= row.count; j += 2 * lanes) weighted_group<2>(row, j, weights, start, low, high);
  for (; j < row.count; j += lanes) weighted_group<1>(row, j, weights, start, low, high);
}

void sum(const WindowRow& row, const float* divisors, float divisor) {
  const hn::ScalableTag<float> d;
  using V = hn::VFromD<decltype(d)>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t j = 0; j < row.count; j += lanes) {
    const auto left = static_cast<size_t>(row.count - j);
    V total = hn::Zero(d);
    for (int64_t t = 0; t < row.taps; ++t) total = hn::Add(total, hn::LoadU(d, row.copy + row.offsets[t] + j));
    const V count = hn::Mul(load_n(d, divisors + j, left), hn::Set(d, divisor));
    store_n(hn::Div(total, count), d, row.y + j, left);
  }
}

void maximum(const WindowRow& row) {
  const hn::ScalableTag<float> d;
  using V = hn::VFromD<decltype(d)>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t j = 0; j < row.count; j += lanes) {
    V best = hn::LoadU(d, row.copy + row.offsets[0] + j);
    for (int64_t t = 1; t < row.taps; ++t) {
      const V v = hn::LoadU(d, row.copy + row.offsets[t] + j);
      best = hn::IfThenElse(hn::IsNaN(best), best, at_least(best, v));
    }
    store_n(best, d, row.y + j, static_cast<size_t>(row.count - j));
  }
}

constexpr ops::WindowKernels kKernels = {.weighted_sum = weighted_sum, .sum = sum, .maximum = maximum};
const ops::WindowKernels* kernels() { return &kKernels; }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

const WindowKernels& window_kernels() { return *SDX_DISPATCH(kernels)(); }

}  // namespace sdx::ops
#endif
