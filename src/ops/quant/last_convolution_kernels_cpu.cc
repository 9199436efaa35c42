#include "base/simd_targets.h"  // first

#include <algorithm>
#include <cstring>

#include "ops/quant/integer_dot-inl.h"
#include "ops/quant/last_convolution_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

constexpr hn::ScalableTag<int32_t> kI32;
constexpr hn::ScalableTag<int16_t> kI16;
using VectorI32 = hn::VFromD<hn::ScalableTag<int32_t>>;
using VectorI16 = hn::VFromD<hn::ScalableTag<int16_t>>;

template <int kRows>
HWY_INLINE void panel_of_pixels(const ops::PixelBlock& block, int64_t row, int64_t panel) {
  constexpr int kVectors = 64 / HWY_MAX_BYTES;  // of 16 filters
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(kI32));
  VectorI32 sums[kRows][kVectors];
  for (int v = 0; v < kVectors; ++v) {
    const auto start = hn::LoadU(kI32, block.starts + panel * ops::kPanelColumns + v * lanes);
    for (int r = 0; r < kRows; ++r)
      sums[r][v] = block.row_terms == nullptr ? start : hn::Sub(start, hn::Set(kI32, block.row_terms[row + r]));
  }
  const uint32_t flips = 0x01010101u * block.turned;
  const uint8_t* HWY_RESTRICT w = block.weights + panel * block.panel_stride;
  for (int64_t run = 0; run < block.runs; ++run) {
    const uint8_t* const* from = block.from + run * block.from_stride + row;
    for (int64_t k = 0; k < block.steps; ++k, w += 4 * ops::kPanelColumns) {
      Halves<VectorI16> filters[kVectors];
      for (int v = 0; v < kVectors; ++v)
        filters[v] = widen<true>(kI16, hn::LoadU(kI16, reinterpret_cast<const int16_t*>(w + 4 * v * lanes)));
      for (int r = 0; r < kRows; ++r) {
        uint32_t four;
        std::memcpy(&four, from[r] + 4 * k, sizeof(four));
        const auto own = widen<false>(kI16, hn::BitCast(kI16, hn::Set(kI32, static_cast<int32_t>(four ^ flips))));
        for (int v = 0; v < kVectors; ++v) sums[r][v] = dot(kI32, own, filters[v], sums[r][v]);
      }
    }
  }
  const int64_t filter = panel * ops::kPanelColumns;
  for (int r = 0; r < kRows; ++r) {
    HWY_ALIGN int32_t buffer[ops::kPanelColumns];
    int32_t* to = block.sums == nullptr ? buffer : block.sums + (row + r) * block.sums_row + filter;
    for (int v = 0; v < kVectors; ++v) hn::StoreU(sums[r][v], kI32, to + v * lanes);
    if (block.sums != nullptr) continue;
    const int64_t at = (row + r) * block.y_row + filter, count = HWY_MIN(ops::kPanelColumns, block.filters - filter);
    if (block.floats != nullptr) {
      for (int64_t f = 0; f < count; ++f)
        block.floats[at + f] = static_cast<float>(buffer[f]) * block.multipliers[filter + f];
      continue;
    }
    block.requantize(buffer, 0, block.multipliers + filter, 1, block.to, block.y + at, static_cast<size_t>(count));
    if (block.sum.kernel != nullptr) ops::add_codes_to(block.sum, block.to.is_signed, at, block.y + at, count);
  }
}

void multiply_pixels(const ops::PixelBlock& block) {
  constexpr int kRows = HWY_MAX_BYTES == 64 ? 8 : HWY_MAX_BYTES == 32 ? 4 : 2;
  for (int64_t panel = 0; panel < block.panels; ++panel) {
    int64_t row = 0;
    for (; row + kRows <= block.rows; row += kRows) panel_of_pixels<kRows>(block, row, panel);
    for (; row < block.rows; ++row) panel_of_pixels<1>(block, row, panel);
  }
}

void multiply_channels(const ops::ChannelBlock& block) {
  const hn::Full128<uint8_t> d8;
  const hn::Full128<uint16_t> du16;
  const hn::Full128<int16_t> d16;
  const hn::Full128<int32_t> d32;
  constexpr int64_t kPart = 16;  // channels
  const int64_t fours = ops::depth_steps(block.taps);
  const auto flips = hn::Set(d8, block.turned);
  for (int64_t first = 0; first < block.channels; first += kPart) {
    const int64_t in_block = first % ops::kLastBlock / kPart, outer = first - first % ops::kLastBlock;
    const auto count = static_cast<size_t>(HWY_MIN(kPart, block.channels - first));
    HWY_ALIGN float multipliers[kPart];
    for (int64_t v = 0; v < 4; ++v)
      std::memcpy(multipliers + v * 4, block.multipliers + outer + v * 16 + in_block * 4, 4 * sizeof(float));
    for (int64_t i = 0; i < block.pixels; ++i) {
      const uint8_t* const* from = block.from + i * fours * ops::kDepthStep;
      HWY_ALIGN int32_t sums[kPart];
      for (int64_t v = 0; v < 4; ++v)
        std::memcpy(sums + v * 4, block.starts + outer + v * 16 + in_block * 4, 4 * sizeof(int32_t));
      for (int64_t four = 0; four < fours; ++four) {
        const auto tap = [&](int64_t t) HWY_ATTR {
          HWY_ALIGN uint8_t bytes[kPart] = {};
          std::memcpy(bytes, from[four * ops::kDepthStep + t] + first, count);
          return hn::Xor(hn::Load(d8, bytes), flips);
        };
        const auto a = tap(0), b = tap(1), c = tap(2), e = tap(3);
        const auto low = hn::BitCast(du16, hn::InterleaveLower(d8, a, b));
        const auto low_end = hn::BitCast(du16, hn::InterleaveLower(d8, c, e));
        const auto high = hn::BitCast(du16, hn::InterleaveUpper(d8, a, b));
        const auto high_end = hn::BitCast(du16, hn::InterleaveUpper(d8, c, e));
        const uint8_t* w = block.weights + (outer * fours + four * ops::kLastBlock + in_block * 4) * ops::kDepthStep;
        const auto add = [&](int64_t v, auto bytes) HWY_ATTR {
          const auto weights = hn::LoadU(d16, reinterpret_cast<const int16_t*>(w + v * 64));
          const auto sum = dot(d32, widen<false>(d16, hn::BitCast(d16, bytes)), widen<true>(d16, weights),
                               hn::Load(d32, sums + v * 4));
          hn::Store(sum, d32, sums + v * 4);
        };
        add(0, hn::InterleaveLower(du16, low, low_end));
        add(1, hn::InterleaveUpper(du16, low, low_end));
        add(2, hn::InterleaveLower(du16, high, high_end));
        add(3, hn::InterleaveUpper(du16, high, high_end));
      }
      block.requantize(sums, 0, multipliers, 1, block.to, block.y + i * block.channels + first, count);
    }
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

MultiplyPixels multiply_pixels_kernel() {
#if defined(__x86_64__)
  if (supports(Isa::avx512_vnni)) return multiply_pixels_avx512_vnni();
#endif
  return SDX_DISPATCH(multiply_pixels);
}
MultiplyChannels multiply_channels_kernel() {
#if defined(__x86_64__)
  if (supports(Isa::avx512_vnni)) return multiply_channels_avx512_vnni();
#endif
  return SDX_DISPATCH(multiply_channels);
}

}  // namespace sdx::ops
#endif
