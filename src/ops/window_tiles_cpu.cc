// Sums over the kernel elements of windows, a vector of neighbouring outputs at a time.
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

constexpr ops::WindowKernels kKernels = {.weighted_sum = weighted_sum};
const ops::WindowKernels* kernels() { return &kKernels; }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

const WindowKernels& window_kernels() { return *SDX_DISPATCH(kernels)(); }

}  // namespace sdx::ops
#endif
