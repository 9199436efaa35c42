// Register tiles of convolutions of few filters.
#include "base/simd_targets.h"  // first

#include "kernel/clamp-inl.h"
#include "ops/conv/row_tiles.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::RowTileArgs;

constexpr int kLanes = HWY_MAX_BYTES / static_cast<int>(sizeof(float));
constexpr bool kManyRegisters = HWY_MAX_BYTES == 64 || HWY_ARCH_ARM;

template <int kFilters, int kVectors>
void row_tile(const RowTileArgs& t) {
  const hn::CappedTag<float, kLanes> d;
  using V = hn::VFromD<decltype(d)>;
  const auto left = [&t](int v) HWY_ATTR { return static_cast<size_t>(HWY_MAX(t.columns - v * kLanes, int64_t{0})); };
  V sum[kFilters][kVectors];
  HWY_UNROLL(8)
  for (int f = 0; f < kFilters; ++f) {
    HWY_UNROLL(8)
    for (int v = 0; v < kVectors; ++v) {
      if (t.start != nullptr) {
        sum[f][v] = hn::Set(d, t.start[f]);
      } else {
        sum[f][v] = f < t.filters ? load_n(d, t.y + f * t.y_step + v * kLanes, left(v)) : hn::Zero(d);
      }
    }
  }
  const ops::ConvTap* const end = t.taps + t.tap_count;
  for (const ops::ConvTap* tap = t.taps; tap != end; ++tap) {
    const float* x = t.x + tap->offset;
    const float* w = t.w + static_cast<int64_t>(tap->index) * kFilters;
    V row[kVectors];
    HWY_UNROLL(8)
    for (int v = 0; v < kVectors; ++v) row[v] = hn::LoadU(d, x + v * kLanes);
    HWY_UNROLL(8)
    for (int f = 0; f < kFilters; ++f) {
      const V weight = hn::Set(d, w[f]);
      HWY_UNROLL(8)
      for (int v = 0; v < kVectors; ++v) sum[f][v] = hn::MulAdd(weight, row[v], sum[f][v]);
    }
  }
  const V low = hn::Set(d, t.low), high = hn::Set(d, t.high);
  HWY_UNROLL(8)
  for (int f = 0; f < kFilters; ++f) {
    HWY_UNROLL(8)
    for (int v = 0; v < kVectors; ++v) {
      if (f >= t.filters) continue;
      store_n(clamped(low, high, sum[f][v]), d, t.y + f * t.y_step + v * kLanes, left(v));
    }
  }
}

template <int kFilters, int... kVectors>
constexpr ops::RowTiles::Choice choice() {
  ops::RowTiles::Choice made = {
      kFilters, sizeof...(kVectors), {row_tile<kFilters, kVectors>...}, {kVectors * kLanes...}};
  return made;
}

// Sums, a row's vectors and a weight fit the registers.
constexpr ops::RowTiles kTiles = {{choice<1, 8, 4, 2, 1>(),
                                   kManyRegisters ? choice<2, 8, 4, 2, 1>() : choice<2, 4, 2, 1>(),
                                   kManyRegisters ? choice<4, 6, 3, 2, 1>() : choice<4, 2, 1>(),
                                   kManyRegisters ? choice<8, 3, 2, 1>() : choice<8, 1>()}};
const ops::RowTiles* tiles() { return &kTiles; }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

const RowTiles& row_tiles() { return *SDX_DISPATCH(tiles)(); }

}  // namespace sdx::ops
#endif
