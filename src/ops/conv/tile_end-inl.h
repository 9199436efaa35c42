// TileEnd over a tile's sums, once per SIMD target.
#include <limits>

#include "kernel/clamp-inl.h"
#include "ops/conv/tile_end.h"

#if defined(SDX_TILE_END_PER_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef SDX_TILE_END_PER_TARGET
#undef SDX_TILE_END_PER_TARGET
#else
#define SDX_TILE_END_PER_TARGET
#endif

HWY_BEFORE_NAMESPACE();
namespace sdx {
namespace HWY_NAMESPACE {

template <class D, class V, int kPixels, int kVectors>
HWY_INLINE void end_sums(D d, V (&sum)[kPixels][kVectors], const ops::TileEnd& end) {
  if (end.hard_swish) {
    const V sixth = hn::Set(d, 1.0f / 6), half = hn::Set(d, 0.5f), one = hn::Set(d, 1.0f), zero = hn::Zero(d);
    HWY_UNROLL(32)
    for (int p = 0; p < kPixels; ++p) {
      HWY_UNROLL(8)
      for (int v = 0; v < kVectors; ++v) {
        const V line = hn::MulAdd(sum[p][v], sixth, half);
        sum[p][v] = hn::Mul(sum[p][v], hn::Min(hn::Max(line, zero), one));
      }
    }
  } else {
    // What bounds nothing would take the units of products.
    if (end.low > -std::numeric_limits<float>::infinity()) {
      const V low = hn::Set(d, end.low);
      HWY_UNROLL(32)
      for (int p = 0; p < kPixels; ++p) {
        HWY_UNROLL(8)
        for (int v = 0; v < kVectors; ++v) sum[p][v] = at_least(low, sum[p][v]);
      }
    }
    if (end.high < std::numeric_limits<float>::infinity()) {
      const V high = hn::Set(d, end.high);
      HWY_UNROLL(32)
      for (int p = 0; p < kPixels; ++p) {
        HWY_UNROLL(8)
        for (int v = 0; v < kVectors; ++v) sum[p][v] = at_most(high, sum[p][v]);
      }
    }
  }
  if (!end.scaled) return;
  const V scale = hn::Set(d, end.scale), shift = hn::Set(d, end.shift);
  HWY_UNROLL(32)
  for (int p = 0; p < kPixels; ++p) {
    HWY_UNROLL(8)
    for (int v = 0; v < kVectors; ++v) sum[p][v] = hn::MulAdd(sum[p][v], scale, shift);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace sdx
HWY_AFTER_NAMESPACE();

#endif  // per target
