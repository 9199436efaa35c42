// Register tiles of depthwise convolutions over blocked channels.
#include "base/simd_targets.h"  // first

#include <utility>

#include "ops/conv/depthwise_tiles.h"
#include "ops/conv/tile_end-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::DepthwiseArgs;

constexpr int kLanes = HWY_MAX_BYTES / static_cast<int>(sizeof(float));
constexpr int kBlock = static_cast<int>(ops::kChannelBlock);
constexpr int kVectors = kBlock / kLanes;
constexpr int kMaxPixels = HWY_MAX_BYTES == 64 ? 14 : HWY_MAX_BYTES == 32 ? 6 : HWY_ARCH_ARM ? 6 : 3;
constexpr int kMaxPairPixels = HWY_MAX_BYTES == 64 ? 14 : kMaxPixels / 2;

alignas(64) constexpr float kZeros[kBlock] = {};

// `kStep`: floats between pixels; 0: any, and columns may lie outside.
template <int kRows, int kPixels, int kStep>
void convolve_depthwise(const DepthwiseArgs& t) {
  const hn::CappedTag<float, kLanes> d;
  using V = hn::VFromD<decltype(d)>;
  V sum[kRows * kPixels][kVectors];
  HWY_UNROLL(16)
  for (int v = 0; v < kVectors; ++v) {
    const V bias = hn::LoadU(d, t.bias + v * kLanes);
    HWY_UNROLL(32)
    for (int p = 0; p < kRows * kPixels; ++p) sum[p][v] = bias;
  }
  for (int64_t tap = 0; tap < t.tap_count; ++tap) {
    const float* a = t.x + t.taps[tap].offset;
    const float* from = t.w + t.taps[tap].index * kBlock;
    V w[kVectors];
    HWY_UNROLL(16)
    for (int v = 0; v < kVectors; ++v) w[v] = hn::LoadU(d, from + v * kLanes);
    if constexpr (kStep != 0) {
      const float* row[2] = {a, a + t.row_step};
      HWY_UNROLL(32)
      for (int p = 0; p < kRows * kPixels; ++p) {
        HWY_UNROLL(16)
        for (int v = 0; v < kVectors; ++v) {
          const float* x = row[p / kPixels] + p % kPixels * kStep + v * kLanes;
          sum[p][v] = hn::MulAdd(hn::LoadU(d, x), w[v], sum[p][v]);
        }
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
  const auto place = [&t](int p, int v) HWY_ATTR { return p / kPixels * t.y_row + p % kPixels * kBlock + v * kLanes; };
  if (t.z != nullptr) {
    HWY_UNROLL(32)
    for (int p = 0; p < kRows * kPixels; ++p) {
      HWY_UNROLL(16)
      for (int v = 0; v < kVectors; ++v) sum[p][v] = hn::Add(sum[p][v], hn::LoadU(d, t.z + place(p, v)));
    }
  }
  end_sums(d, sum, t.end);
  HWY_UNROLL(32)
  for (int p = 0; p < kRows * kPixels; ++p) {
    HWY_UNROLL(16)
    for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[p][v], d, t.y + place(p, v));
  }
}

template <int kRows, int kStep, int... kIndex>
constexpr void fill_table(ops::DepthwiseTile* table, std::integer_sequence<int, kIndex...>) {
  ((table[kIndex] = convolve_depthwise<kRows, kIndex + 1, kStep>), ...);
}

constexpr ops::DepthwiseTiles make_tiles() {
  ops::DepthwiseTiles tiles = {};
  tiles.max_pixels = kMaxPixels;
  tiles.max_pair_pixels = kMaxPairPixels;
  constexpr auto kAll = std::make_integer_sequence<int, kMaxPixels>();
  fill_table<1, kBlock>(tiles.inner, kAll);
  fill_table<1, 2 * kBlock>(tiles.inner_by_two, kAll);
  fill_table<2, kBlock>(tiles.pair, std::make_integer_sequence<int, kMaxPairPixels>());
  fill_table<1, 0>(tiles.edge, kAll);
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
