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

alignas(64) constexpr float kZeros[kBlock] = {};

// The end of a tile: a sum z, the activation.
template <int kPixels, class D, class V>
HWY_INLINE void finish_tile(D d, V (&sum)[kPixels][kVectors], const float* z, const ops::TileEnd& end, float* y) {
  if (z != nullptr) {
    HWY_UNROLL(16)
    for (int p = 0; p < kPixels; ++p) {
      HWY_UNROLL(16)
      for (int v = 0; v < kVectors; ++v) sum[p][v] = hn::Add(sum[p][v], hn::LoadU(d, z + p * kBlock + v * kLanes));
    }
  }
  end_sums(d, sum, end);
  HWY_UNROLL(16)
  for (int p = 0; p < kPixels; ++p) {
    HWY_UNROLL(16)
    for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[p][v], d, y + p * kBlock + v * kLanes);
  }
}

// One pixel after the other, so that the first ones are stored while others are added.
template <bool kAdds, bool kLow, bool kHigh, int kPixels, class D, class V>
HWY_INLINE void store_pixels(D d, const V (&sum)[kPixels][kVectors], V low, V high, const float* z, float* y) {
  HWY_UNROLL(16)
  for (int p = 0; p < kPixels; ++p) {
    HWY_UNROLL(16)
    for (int v = 0; v < kVectors; ++v) {
      V made = sum[p][v];
      if constexpr (kAdds) made = hn::Add(made, hn::LoadU(d, z + p * kBlock + v * kLanes));
      if constexpr (kLow) made = at_least(low, made);
      if constexpr (kHigh) made = at_most(high, made);
      hn::StoreU(made, d, y + p * kBlock + v * kLanes);
    }
  }
}

template <int kPixels, class D, class V>
HWY_INLINE void start_tile(D d, V (&sum)[kPixels][kVectors], const DepthwiseArgs& t) {
  HWY_UNROLL(16)
  for (int v = 0; v < kVectors; ++v) {
    const V bias = hn::LoadU(d, t.bias + v * kLanes);
    HWY_UNROLL(16)
    for (int p = 0; p < kPixels; ++p) sum[p][v] = bias;
  }
}

// `kStep`: floats between pixels; 0: any, and columns may lie outside.
template <int kPixels, int kStep>
void convolve_depthwise(const DepthwiseArgs& t) {
  const hn::CappedTag<float, kLanes> d;
  using V = hn::VFromD<decltype(d)>;
  V sum[kPixels][kVectors];
  start_tile(d, sum, t);
  for (int64_t tap = 0; tap < t.tap_count; ++tap) {
    const float* a = t.x + t.taps[tap].offset;
    const float* from = t.w + t.taps[tap].index * kBlock;
    V w[kVectors];
    HWY_UNROLL(16)
    for (int v = 0; v < kVectors; ++v) w[v] = hn::LoadU(d, from + v * kLanes);
    int64_t column = t.column + t.taps[tap].column;
    HWY_UNROLL(16)
    for (int p = 0; p < kPixels; ++p) {
      const float* x = a + p * kStep;
      if constexpr (kStep == 0) {
        const bool inside = static_cast<uint64_t>(column) < static_cast<uint64_t>(t.columns);
        x = inside ? a + p * t.step : kZeros;
        column += t.stride;
      }
      HWY_UNROLL(16)
      for (int v = 0; v < kVectors; ++v) sum[p][v] = hn::MulAdd(hn::LoadU(d, x + v * kLanes), w[v], sum[p][v]);
    }
  }
  finish_tile(d, sum, t.z, t.end, t.y);
}

// The compiler would load it again for each product.
template <class V>
HWY_INLINE V in_register(V v) {
#if HWY_ARCH_X86
  asm("" : "+v"(v.raw));
#endif
  return v;
}

// The compiler would add each column's distance to it ahead of the loops, and keep the sums on the stack.
template <class T>
HWY_INLINE T one_value(T value) {
  asm("" : "+r"(value));
  return value;
}

// Kernel elements lie in rows of `kWidth`: each pixel of the input is read once for all that it is multiplied with.
template <int kPixels, int kWidth, int kStride>
void convolve_rows(const DepthwiseArgs& t) {
  const hn::CappedTag<float, kLanes> d;
  using V = hn::VFromD<decltype(d)>;
  constexpr int kColumns = (kPixels - 1) * kStride + kWidth, kEdge = kWidth / 2;
  hn::Mask<decltype(d)> left[kEdge], right[kEdge];
  HWY_UNROLL(4)
  for (int i = 0; i < kEdge; ++i) {
    left[i] = hn::FirstN(d, i < t.missing_left ? size_t{0} : size_t{kLanes});
    right[i] = hn::FirstN(d, i < t.missing_right ? size_t{0} : size_t{kLanes});
  }
  V sum[kPixels][kVectors];
  start_tile(d, sum, t);
  for (int64_t tap = 0; tap < t.tap_count; tap += kWidth) {
    const float* a = t.x + t.taps[tap].offset;
    const float* from = t.w + t.taps[tap].index * kBlock;
    V w[kWidth][kVectors];
    HWY_UNROLL(16)
    for (int k = 0; k < kWidth; ++k) {
      HWY_UNROLL(16)
      for (int v = 0; v < kVectors; ++v) w[k][v] = hn::LoadU(d, from + k * kBlock + v * kLanes);
    }
    HWY_UNROLL(64)
    for (int column = 0; column < kColumns; ++column) {
      HWY_UNROLL(16)
      for (int v = 0; v < kVectors; ++v) {
        const float* at = a + column * kBlock + v * kLanes;
        const V x = in_register(column < kEdge               ? hn::MaskedLoad(left[column], d, at)
                                : column >= kColumns - kEdge ? hn::MaskedLoad(right[kColumns - 1 - column], d, at)
                                                             : hn::LoadU(d, at));
        HWY_UNROLL(16)
        for (int k = 0; k < kWidth; ++k) {
          const int p = (column - k) / kStride;
          if (column >= k && (column - k) % kStride == 0 && p < kPixels) sum[p][v] = hn::MulAdd(x, w[k][v], sum[p][v]);
        }
      }
    }
  }
  finish_tile(d, sum, t.z, t.end, t.y);
}

// The same for kernels of 3x3, their elements in registers: what a tile reads beside its input would take longer than
// its products.
template <int kPixels, int kStride>
void convolve_strip(const ops::DepthwiseStrip& t) {
  const hn::CappedTag<float, kLanes> d;
  using V = hn::VFromD<decltype(d)>;
  constexpr int kColumns = (kPixels - 1) * kStride + 3;
  V w[9];
  HWY_UNROLL(9)
  for (int k = 0; k < 9; ++k) w[k] = in_register(hn::LoadU(d, t.w + k * kBlock));
  const V bias = in_register(hn::LoadU(d, t.bias));
  const V low = in_register(hn::Set(d, t.end.low)), high = in_register(hn::Set(d, t.end.high));
  const int ends = one_value(t.end.hard_swish || t.end.scaled                      ? 3
                             : t.end.high < std::numeric_limits<float>::infinity() ? 2
                             : t.end.low > -std::numeric_limits<float>::infinity() ? 1
                                                                                   : 0);
  const int64_t last = t.tiles - 1;
  for (int64_t row = 0; row < t.rows; ++row) {
    const int64_t top = t.top + row * t.step, bottom = top + 2 * t.dilation;
    const float *x = t.x + row * t.x_row, *z = t.z != nullptr ? t.z + row * t.y_row : nullptr;
    float* y = t.y + row * t.y_row;
    for (int64_t i = 0; i <= last; ++i) {
      V sum[kPixels][1];
      HWY_UNROLL(16)
      for (int p = 0; p < kPixels; ++p) sum[p][0] = bias;
      const bool left = i == 0 && t.misses_left, right = i == last && t.misses_right;
      HWY_UNROLL(3)
      for (int ky = 0; ky < 3; ++ky) {
        if ((ky == 0 && top < 0) || (ky == 2 && bottom >= t.all)) continue;
        const float* const a = one_value(x + ky * t.kernel_row);
        const float* const first = left ? kZeros : a;
        const float* const end = right ? kZeros : a + (kColumns - 1) * kBlock;
        HWY_UNROLL(64)
        for (int column = 0; column < kColumns; ++column) {
          const float* at = column == 0 ? first : column == kColumns - 1 ? end : a + column * kBlock;
          const V element = in_register(hn::LoadU(d, at));
          HWY_UNROLL(3)
          for (int kx = 0; kx < 3; ++kx) {
            const int p = (column - kx) / kStride;
            if (column >= kx && (column - kx) % kStride == 0 && p < kPixels)
              sum[p][0] = hn::MulAdd(element, w[ky * 3 + kx], sum[p][0]);
          }
        }
      }
      if (ends == 3) {
        finish_tile(d, sum, z, t.end, y);
      } else if (z != nullptr) {
        if (ends == 2) {
          store_pixels<true, true, true>(d, sum, low, high, z, y);
        } else if (ends == 1) {
          store_pixels<true, true, false>(d, sum, low, high, z, y);
        } else {
          store_pixels<true, false, false>(d, sum, low, high, z, y);
        }
      } else if (ends == 2) {
        store_pixels<false, true, true>(d, sum, low, high, z, y);
      } else if (ends == 1) {
        store_pixels<false, true, false>(d, sum, low, high, z, y);
      } else {
        store_pixels<false, false, false>(d, sum, low, high, z, y);
      }
      x += kPixels * kStride * kBlock;
      y += kPixels * kBlock;
      if (z != nullptr) z += kPixels * kBlock;
    }
  }
}

constexpr auto kAll = std::make_integer_sequence<int, kMaxPixels>();

template <int kStep, int... kIndex>
constexpr void fill_table(ops::DepthwiseTile* table, std::integer_sequence<int, kIndex...>) {
  ((table[kIndex] = convolve_depthwise<kIndex + 1, kStep>), ...);
}
// Longer rows are cut into tiles of at least half the most pixels.
template <int kWidth, int kStride, int... kIndex>
constexpr ops::DepthwiseRows rows(std::integer_sequence<int, kIndex...>) {
  ops::DepthwiseRows made = {kWidth, kStride, {}};
  const auto fill = [&]<int kPixel>(std::integral_constant<int, kPixel>) {
    if constexpr (kPixel + 2 >= kMaxPixels / 2 && HWY_MAX_BYTES >= 32)
      made.tile[kPixel] = convolve_rows<kPixel + 1, kWidth, kStride>;
  };
  (fill(std::integral_constant<int, kIndex>()), ...);
  return made;
}

template <int kStride, int... kIndex>
constexpr void fill_strips(ops::DepthwiseStripTile* table, std::integer_sequence<int, kIndex...>) {
  const auto fill = [&]<int kPixel>(std::integral_constant<int, kPixel>) {
    if constexpr (HWY_MAX_BYTES == 64 && kPixel + 2 >= kMaxPixels / 2)
      table[kPixel] = convolve_strip<kPixel + 1, kStride>;
  };
  (fill(std::integral_constant<int, kIndex>()), ...);
}

constexpr ops::DepthwiseTiles make_tiles() {
  ops::DepthwiseTiles tiles = {};
  tiles.max_pixels = kMaxPixels;
  fill_table<kBlock>(tiles.inner, kAll);
  fill_table<2 * kBlock>(tiles.inner_by_two, kAll);
  fill_table<0>(tiles.edge, kAll);
  tiles.rows[0] = rows<3, 1>(kAll);
  tiles.rows[1] = rows<5, 1>(kAll);
  fill_strips<1>(tiles.strip[0], kAll);
  fill_strips<2>(tiles.strip[1], kAll);
  if constexpr (HWY_MAX_BYTES == 64) {
    tiles.rows[2] = rows<3, 2>(kAll);
    tiles.rows[3] = rows<5, 2>(kAll);
    tiles.rows[4] = rows<7, 1>(kAll);
  }
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
