// Integer convolutions over innermost channels by the dot products of VNNI.
#include "ops/quant/last_convolution_kernels.h"

#if defined(__x86_64__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // in the intrinsics' own "undefined" values
#include <immintrin.h>

#include <algorithm>
#include <cstring>

namespace sdx::ops {
namespace avx512_vnni {
namespace {

#define SDX_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

// Codes of 64 sums: what is beyond the highest is cut off before it is rounded, what is below the lowest behind.
struct Codes64 {
  __m512 high;
  __m512i zero, order;
  bool is_signed;
};
SDX_TARGET inline Codes64 codes64(const Requantization& to) {
  return {.high = _mm512_set1_ps(static_cast<float>((to.is_signed ? 127 : 255) - to.zero)),
          .zero = _mm512_set1_epi16(static_cast<int16_t>(to.zero)),
          .order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15),
          .is_signed = to.is_signed};
}
SDX_TARGET inline __m512i rounded(__m512i sums, __m512 multipliers, const Codes64& codes) {
  const __m512 scaled = _mm512_mul_ps(_mm512_cvtepi32_ps(sums), multipliers);
  return _mm512_cvtps_epi32(_mm512_min_ps(scaled, codes.high));
}
// In lanes of 128 bits: four of each.
SDX_TARGET inline __m512i packed(__m512i a, __m512i b, __m512i c, __m512i d, const Codes64& codes) {
  const __m512i low = _mm512_adds_epi16(_mm512_packs_epi32(a, b), codes.zero);
  const __m512i high = _mm512_adds_epi16(_mm512_packs_epi32(c, d), codes.zero);
  return codes.is_signed ? _mm512_packs_epi16(low, high) : _mm512_packus_epi16(low, high);
}
inline uint64_t first_bytes(int64_t count) { return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1; }

// Of 16 codes: what they are with the others added, in whole numbers.
struct Sum16 {
  __m512 low, high, zero, ratio, other, rest;
  bool is_signed, second;
};
SDX_TARGET inline Sum16 sum16(const PixelBlock& block) {
  const float zero = static_cast<float>(block.to.zero), lowest = block.to.is_signed ? -128.0f : 0.0f;
  return {.low = _mm512_set1_ps(lowest),
          .high = _mm512_set1_ps(lowest + 255),
          .zero = _mm512_set1_ps(zero),
          .ratio = _mm512_set1_ps(block.sum.sum.ratio),
          .other = _mm512_set1_ps(block.sum.sum.other),
          .rest = _mm512_set1_ps(block.sum.sum.rest),
          .is_signed = block.to.is_signed,
          .second = block.sum.convolution_is_second};
}
SDX_TARGET inline __m512i added(__m512i sums, const float* multipliers, const uint8_t* others, __mmask16 mask,
                                const Sum16& by) {
  const __m512 scaled = _mm512_mul_ps(_mm512_cvtepi32_ps(sums), _mm512_loadu_ps(multipliers));
  const __m512 rounded = _mm512_roundscale_ps(
      _mm512_max_ps(_mm512_min_ps(scaled, _mm512_sub_ps(by.high, by.zero)), _mm512_sub_ps(by.low, by.zero)),
      _MM_FROUND_CUR_DIRECTION);
  const __m512 code = _mm512_add_ps(rounded, by.zero);
  const __m128i bytes = _mm_maskz_loadu_epi8(mask, others);
  const __m512 other = _mm512_cvtepi32_ps(by.is_signed ? _mm512_cvtepi8_epi32(bytes) : _mm512_cvtepu8_epi32(bytes));
  const __m512 first = by.second ? other : code, second = by.second ? code : other;
  const __m512 sum = _mm512_fmadd_ps(first, by.ratio, _mm512_fmadd_ps(second, by.other, by.rest));
  return _mm512_cvtps_epi32(_mm512_min_ps(_mm512_max_ps(sum, by.low), by.high));
}

template <int rows, int vectors>
SDX_TARGET inline void store_sums_of_codes(const PixelBlock& block, const __m512i (&sums)[rows][vectors], int64_t row,
                                           int64_t panel) {
  Codes64 codes = codes64(block.to);
  codes.zero = _mm512_setzero_si512();
  const Sum16 by = sum16(block);
  const int64_t filter = panel * kPanelColumns;
  const uint64_t mask = first_bytes(std::min(vectors * kPanelColumns, block.filters - filter));
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
    const int64_t at = (row + r) * block.y_row + filter;
    __m512i whole[4];
#pragma GCC unroll 4
    for (int v = 0; v < 4; ++v)
      whole[v] = v < vectors ? added(sums[r][v < vectors ? v : 0], block.multipliers + filter + v * 16,
                                     block.sum.other + at + v * 16, static_cast<__mmask16>(mask >> (v * 16)), by)
                             : _mm512_setzero_si512();
    const __m512i bytes = packed(whole[0], whole[1], whole[2], whole[3], codes);
    _mm512_mask_storeu_epi8(block.y + at, static_cast<__mmask64>(mask), _mm512_permutexvar_epi32(codes.order, bytes));
  }
}

template <int rows, int vectors>
SDX_TARGET inline void store_codes(const PixelBlock& block, const __m512i (&sums)[rows][vectors], int64_t row,
                                   int64_t panel) {
  const Codes64 codes = codes64(block.to);
  const int64_t filter = panel * kPanelColumns;
  const auto mask = static_cast<__mmask64>(first_bytes(std::min(vectors * kPanelColumns, block.filters - filter)));
  uint8_t* y = block.y + row * block.y_row + filter;
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r, y += block.y_row) {
    __m512i whole[4];
#pragma GCC unroll 4
    for (int v = 0; v < 4; ++v)
      whole[v] = v < vectors ? rounded(sums[r][v < vectors ? v : 0],
                                       _mm512_loadu_ps(block.multipliers + filter + v * 16), codes)
                             : _mm512_setzero_si512();
    const __m512i bytes = packed(whole[0], whole[1], whole[2], whole[3], codes);
    _mm512_mask_storeu_epi8(y, mask, _mm512_permutexvar_epi32(codes.order, bytes));
  }
}

template <int rows, int vectors>
SDX_TARGET inline void store_floats(const PixelBlock& block, const __m512i (&sums)[rows][vectors], int64_t row,
                                    int64_t panel) {
  const int64_t filter = panel * kPanelColumns;
  const uint64_t mask = first_bytes(std::min(vectors * kPanelColumns, block.filters - filter));
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v)
      _mm512_mask_storeu_ps(
          block.floats + (row + r) * block.y_row + filter + v * 16, static_cast<__mmask16>(mask >> (v * 16)),
          _mm512_mul_ps(_mm512_cvtepi32_ps(sums[r][v]), _mm512_loadu_ps(block.multipliers + filter + v * 16)));
}

// Filters that are wanted soon; with every four bytes of a tile, so many bytes on.
struct Next {
  const uint8_t* at;
  int64_t step;
};

template <bool turns, int rows, int vectors>
SDX_TARGET void tile(const PixelBlock& block, int64_t row, int64_t panel, Next& next) {
  __m512i sums[rows][vectors];
#pragma GCC unroll 4
  for (int v = 0; v < vectors; ++v) {
    const __m512i start = _mm512_loadu_si512(block.starts + (panel + v) * kPanelColumns);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
      sums[r][v] =
          block.row_terms == nullptr ? start : _mm512_sub_epi32(start, _mm512_set1_epi32(block.row_terms[row + r]));
  }
  if (block.sum.kernel != nullptr)  // what the next tile adds
    for (int r = 0; r < rows; ++r)
      _mm_prefetch(reinterpret_cast<const char*>(block.sum.other + (row + rows + r) * block.y_row + panel * 16),
                   _MM_HINT_T0);
  if (block.sums == nullptr && block.floats == nullptr)  // and where it writes
    for (int r = 0; r < rows; ++r)
      _mm_prefetch(reinterpret_cast<const char*>(block.y + (row + rows + r) * block.y_row + panel * 16), _MM_HINT_T0);
  const __m512i flips = _mm512_set1_epi8(static_cast<char>(kTurned));
  const uint8_t* w = block.weights + panel * block.panel_stride;
  const int64_t bytes = block.steps * kDepthStep, stride = block.panel_stride;
  const uint8_t* soon = next.at;
  for (int64_t run = 0; run < block.runs; ++run) {
    const uint8_t* from[rows];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) from[r] = block.from[run * block.from_stride + row + r];
    for (int64_t k = 0; k < bytes; k += kDepthStep, w += kDepthStep * kPanelColumns) {
      _mm_prefetch(reinterpret_cast<const char*>(soon), _MM_HINT_T1);
      soon += next.step;
      __m512i filters[vectors];
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) filters[v] = _mm512_loadu_si512(w + v * stride);
#pragma GCC unroll 8
      for (int r = 0; r < rows; ++r) {
        int32_t four;
        std::memcpy(&four, from[r] + k, sizeof(four));
        __m512i pixel = _mm512_set1_epi32(four);
        if constexpr (turns) pixel = _mm512_xor_si512(pixel, flips);
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) sums[r][v] = _mm512_dpbusd_epi32(sums[r][v], pixel, filters[v]);
      }
    }
  }
  next.at = soon;
  if (block.floats != nullptr) return store_floats<rows, vectors>(block, sums, row, panel);
  if (block.sums == nullptr)
    return block.sum.kernel == nullptr ? store_codes<rows, vectors>(block, sums, row, panel)
                                       : store_sums_of_codes<rows, vectors>(block, sums, row, panel);
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v)
      _mm512_storeu_si512(block.sums + (row + r) * block.sums_row + (panel + v) * kPanelColumns, sums[r][v]);
}

template <bool turns, int vectors>
SDX_TARGET void some_panels(const PixelBlock& block, int64_t panel, int64_t next_panels) {
  constexpr int kRows = vectors == 4 ? 6 : 8;
  const int64_t tiles = (block.rows + kRows - 1) / kRows, steps = tiles * block.runs * block.steps;
  Next next{block.weights + panel * block.panel_stride, 0};
  if (next_panels > 0) {
    next.at += vectors * block.panel_stride;
    next.step = (next_panels * block.panel_stride + steps - 1) / steps;
  }
  int64_t row = 0;
  for (; row + kRows <= block.rows; row += kRows) tile<turns, kRows, vectors>(block, row, panel, next);
  if (row + 4 <= block.rows) tile<turns, 4, vectors>(block, row, panel, next), row += 4;
  if (row + 2 <= block.rows) tile<turns, 2, vectors>(block, row, panel, next), row += 2;
  if (row < block.rows) tile<turns, 1, vectors>(block, row, panel, next);
}

template <bool turns>
SDX_TARGET void multiply_pixels(const PixelBlock& block) {
  const int64_t groups = (block.panels + 3) / 4;
  for (int64_t i = 0; i < groups; ++i) {  // as even as they can be
    const int64_t panel = i * block.panels / groups, end = (i + 1) * block.panels / groups;
    const int64_t next = std::min<int64_t>(4, block.panels + block.panels_behind - end);
    switch (end - panel) {
      case 1: some_panels<turns, 1>(block, panel, next); break;
      case 2: some_panels<turns, 2>(block, panel, next); break;
      case 3: some_panels<turns, 3>(block, panel, next); break;
      default: some_panels<turns, 4>(block, panel, next);
    }
  }
}

// Four taps of 64 channels beside each other.
struct Fours {
  __m512i of[4];
};
SDX_TARGET inline Fours beside(__m512i a, __m512i b, __m512i c, __m512i d) {
  const __m512i ab = _mm512_unpacklo_epi8(a, b), cd = _mm512_unpacklo_epi8(c, d);
  const __m512i ab_high = _mm512_unpackhi_epi8(a, b), cd_high = _mm512_unpackhi_epi8(c, d);
  return {{_mm512_unpacklo_epi16(ab, cd), _mm512_unpackhi_epi16(ab, cd), _mm512_unpacklo_epi16(ab_high, cd_high),
           _mm512_unpackhi_epi16(ab_high, cd_high)}};
}

// The bytes of 64 channels of one pixel, or of 32 channels of two.
template <int kPixels>
SDX_TARGET inline __m512i channels_of(const uint8_t* const* from, int64_t pixel_step, int64_t first, uint64_t mask) {
  if constexpr (kPixels == 1) return _mm512_maskz_loadu_epi8(static_cast<__mmask64>(mask), from[0] + first);
  const auto half = static_cast<__mmask32>(mask);
  const __m512i low = _mm512_castsi256_si512(_mm256_maskz_loadu_epi8(half, from[0] + first));
  return _mm512_inserti64x4(low, _mm256_maskz_loadu_epi8(half, from[pixel_step] + first), 1);
}
template <int kPixels>
SDX_TARGET inline __m512i places_of(const void* at) {
  if constexpr (kPixels == 1) return _mm512_loadu_si512(at);
  return _mm512_broadcast_i64x4(_mm256_loadu_si256(static_cast<const __m256i*>(at)));
}

// Channels from `first` on of the pixels from `pixel` on, kPixels at a time; returns the first pixel that is left.
// kTaps: 0 where it is not known.
template <bool turns, int kTaps, int kPixels>
SDX_TARGET int64_t multiply_channel_block(const ChannelBlock& block, int64_t first, int64_t pixel) {
  const Codes64 codes = codes64(block.to);
  const __m512i flips = _mm512_set1_epi8(static_cast<char>(turns ? kTurned : 0));
  const int64_t taps = kTaps > 0 ? kTaps : block.taps, fours = depth_steps(taps), pointers = fours * kDepthStep;
  const uint64_t mask = first_bytes(block.channels - first);
  const uint8_t* weights = block.weights + first * pointers;
  const uint8_t* const* from = block.from + pixel * pointers;
  for (; pixel + kPixels <= block.pixels; pixel += kPixels, from += kPixels * pointers) {
    __m512i sums[4];
#pragma GCC unroll 4
    for (int v = 0; v < 4; ++v) sums[v] = places_of<kPixels>(block.starts + first + v * 16);
    const uint8_t* w = weights;
#pragma GCC unroll 3
    for (int64_t four = 0; four < fours; ++four, w += kLastBlock * kDepthStep) {
      __m512i rows[4];
#pragma GCC unroll 4
      for (int64_t t = 0; t < kDepthStep; ++t) {
        const int64_t tap = four * kDepthStep + t;
        if (kTaps > 0 && tap >= kTaps) {
          rows[t] = _mm512_setzero_si512();
          continue;
        }
        rows[t] = channels_of<kPixels>(from + tap, pointers, first, mask);
        if constexpr (turns) rows[t] = _mm512_xor_si512(rows[t], flips);
      }
      const Fours beside_each_other = beside(rows[0], rows[1], rows[2], rows[3]);
#pragma GCC unroll 4
      for (int v = 0; v < 4; ++v)
        sums[v] = _mm512_dpbusd_epi32(sums[v], beside_each_other.of[v], places_of<kPixels>(w + v * 64));
    }
    __m512i whole[4];
#pragma GCC unroll 4
    for (int v = 0; v < 4; ++v)
      whole[v] = rounded(sums[v], _mm512_castsi512_ps(places_of<kPixels>(block.multipliers + first + v * 16)), codes);
    const __m512i bytes = packed(whole[0], whole[1], whole[2], whole[3], codes);
    uint8_t* y = block.y + pixel * block.channels + first;
    if constexpr (kPixels == 1) {
      _mm512_mask_storeu_epi8(y, static_cast<__mmask64>(mask), bytes);
    } else {
      _mm256_mask_storeu_epi8(y, static_cast<__mmask32>(mask), _mm512_castsi512_si256(bytes));
      _mm256_mask_storeu_epi8(y + block.channels, static_cast<__mmask32>(mask), _mm512_extracti64x4_epi64(bytes, 1));
    }
  }
  return pixel;
}

template <bool turns, int kTaps>
SDX_TARGET void multiply_channels(const ChannelBlock& block) {
  for (int64_t first = 0; first < block.channels; first += kLastBlock) {
    int64_t pixel = 0;
    if (2 * (block.channels - first) <= kLastBlock) pixel = multiply_channel_block<turns, kTaps, 2>(block, first, 0);
    multiply_channel_block<turns, kTaps, 1>(block, first, pixel);
  }
}

template <bool turns>
SDX_TARGET void multiply_channels(const ChannelBlock& block) {
  block.taps == 9 ? multiply_channels<turns, 9>(block) : multiply_channels<turns, 0>(block);
}

void multiply_any_pixels(const PixelBlock& block) {
  block.turned != 0 ? multiply_pixels<true>(block) : multiply_pixels<false>(block);
}
void multiply_any_channels(const ChannelBlock& block) {
  block.turned != 0 ? multiply_channels<true>(block) : multiply_channels<false>(block);
}

#undef SDX_TARGET
}  // namespace
}  // namespace avx512_vnni

MultiplyCodePixels multiply_code_pixels_avx512_vnni() { return avx512_vnni::multiply_any_pixels; }
MultiplyCodeChannels multiply_code_channels_avx512_vnni() { return avx512_vnni::multiply_any_channels; }

}  // namespace sdx::ops
#endif
