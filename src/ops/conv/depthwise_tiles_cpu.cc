// Register tiles of depthwise convolutions over blocked channels.
#include "base/simd_targets.h"  // first

#include <utility>

#include "kernel/simd.h"
#include "ops/conv/depthwise_tiles.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::DepthwiseArgs;

constexpr int kLanes = HWY_MAX_BYTES / static_cast<int>(sizeof(float));
constexpr int kBlock = static_cast<int>(ops::kChannelBlock);
constexpr int kVectors = kBlock / kLanes;
constexpr int kMaxPixels = HWY_MAX_BYTES == 64 ? 14 : HWY_MAX_BYTES == 32 ? 6 : HWY_ARCH_ARM ? 6 : 3;

alignas(64) constexpr float kZeros[kBlock] = {};

// `kStep`: floats between pixels; 0: any, and columns may lie outside.
template <int kPixels, int kStep>
void convolve_depthwise(const DepthwiseArgs& t) {
  const hn::CappedTag<float, kLanes> d;
  using V = hn::VFromD<decltype(d)>;
  V sum[kPixels][kVectors];
  HWY_UNROLL(16)
  for (int v = 0; v < kVectors; ++v) {
    const V bias = hn::LoadU(d, t.bias + v * kLanes);
    HWY_UNROLL(16)
    for (int p = 0; p < kPixels; ++p) sum[p][v] = bias;
  }
  for (int64_t tap = 0; tap < t.tap_count; ++tap) {
    const float* a = t.x + t.taps[tap].offset;
    const float* from = t.w + t.taps[tap].index * kBlock;
    V w[kVectors];
    HWY_UNROLL(16)
    for (int v = 0; v < kVectors; ++v) w[v] = hn::LoadU(d, from + v * kLanes);
    if constexpr (kStep != 0) {
      HWY_UNROLL(16)
      for (int p = 0; p < kPixels; ++p) {
        HWY_UNROLL(16)
        for (int v = 0; v < kVectors; ++v)
          sum[p][v] = hn::MulAdd(hn::LoadU(d, a + p * kStep + v * kLanes), w[v], sum[p][v]);
      }
    } else {
      int64_t column = t.column + t.taps[tap].column;
      HWY_UNROLL(16)
      for (int p = 0; p < kPixels; ++p) {
        const bool inside = static_cast<uint64_t>(column) < static_cast<uint64_t>(t.columns);
        const float* x = inside ? a + p * t.step : kZeros;
        HWY_UNROLL(16)
        for (int v = 0; v < kVectors; ++v) sum[p][v] = hn::MulAdd(hn::LoadU(d, x + v * kLanes), w[v], sum[p][v]);
        column += t.stride;
      }
    }
  }
  const V low = hn::Set(d, t.low), high = hn::Set(d, t.high);
  HWY_UNROLL(16)
  for (int p = 0; p < kPixels; ++p) {
    HWY_UNROLL(16)
    for (int v = 0; v < kVectors; ++v) {
      if (t.z != nullptr) sum[p][v] = hn::Add(sum[p][v], hn::LoadU(d, t.z + p * kBlock + v * kLanes));
      sum[p][v] = hn::Min(high, hn::Max(low, sum[p][v]));  // this order keeps NaN
    }
  }
  if (t.lanes < kBlock) {
    HWY_UNROLL(16)
    for (int v = 0; v < kVectors; ++v) {
      const auto left = static_cast<size_t>(HWY_MAX(t.lanes - v * kLanes, int64_t{0}));
      const auto real = hn::FirstN(d, HWY_MIN(left, size_t{kLanes}));
      HWY_UNROLL(16)
      for (int p = 0; p < kPixels; ++p) sum[p][v] = hn::IfThenElseZero(real, sum[p][v]);
    }
  }
  HWY_UNROLL(16)
  for (int p = 0; p < kPixels; ++p) {
    HWY_UNROLL(16)
    for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[p][v], d, t.y + p * kBlock + v * kLanes);
  }
}

template <int kStep, int... kIndex>
constexpr void fill_table(ops::DepthwiseTile* table, std::integer_sequence<int, kIndex...>) {
  ((table[kIndex] = convolve_depthwise<kIndex + 1, kStep>), ...);
}

constexpr ops::DepthwiseTiles make_tiles() {
  ops::DepthwiseTiles tiles = {};
  tiles.max_pixels = kMaxPixels;
  constexpr auto kAll = std::make_integer_sequence<int, kMaxPixels>();
  fill_table<kBlock>(tiles.inner, kAll);
  fill_table<2 * kBlock>(tiles.inner_by_two, kAll);
  fill_table<0>(tiles.edge, kAll);
  return tiles;
}

constexpr ops::DepthwiseTiles kTiles = make_tiles();
const ops::DepthwiseTiles* depthwise() { return &kTiles; }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

const DepthwiseTiles& depthwise_tiles() { return *SDX_DISPATCH(depthwise)(); }

}  // namespace sdx::ops
#endif
