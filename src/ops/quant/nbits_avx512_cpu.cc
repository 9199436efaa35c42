// Float rows times codes of 2, 4 or 8 bits for AVX-512: several groups at once, so that no sum waits for itself and
// memory is read at several places.
#include "ops/quant/nbits_panels.h"

#if defined(__x86_64__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // in the intrinsics' own "undefined" values
#include <immintrin.h>

#include <algorithm>

namespace sdx::ops {
namespace avx512 {
namespace {

#define SDX_TARGET __attribute__((target("avx512f,avx512bw,avx512vl")))

constexpr int64_t kAheadBytes = 3072;

// The lowest codes of 16 words as floats, less `offset`. Small ones are looked up; bytes become the last bits of a
// float of 2^23 and more.
template <int bits>
struct Codes {
  __m512 values, offset;

  SDX_TARGET explicit Codes(float less) {
    alignas(64) float table[16];
    for (int i = 0; i < 16; ++i) table[i] = static_cast<float>(i % (1 << bits)) - less;
    values = bits == 8 ? _mm512_set1_ps(8388608.0f) : _mm512_load_ps(table);
    offset = _mm512_set1_ps(8388608.0f + less);
  }
  SDX_TARGET __m512 of(__m512i words) const {
    if constexpr (bits < 8) return _mm512_permutexvar_ps(words, values);
    const __m512i low = _mm512_set1_epi32(255);
    return _mm512_sub_ps(_mm512_castsi512_ps(_mm512_ternarylogic_epi32(words, low, _mm512_castps_si512(values), 0xEA)),
                         offset);
  }
};

SDX_TARGET inline __m512 zeros_at(const NBitsPanels& panels, int64_t at) {
  if (panels.byte_zeros.empty()) return _mm512_loadu_ps(panels.float_zeros.data() + at);
  const auto* bytes = reinterpret_cast<const __m128i*>(panels.byte_zeros.data() + at);
  return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(bytes)));
}

template <int bits, int rows, int groups, bool has_zeros>
SDX_TARGET void multiply_groups(const NBitsPanels& panels, int64_t group, const NBitsRows& a, float* y) {
  constexpr int kVectors = 2 * groups;
  constexpr int64_t kWordRows = word_rows(bits), kWordBytes = 4 * kGroupColumns;
  const int64_t k = panels.bits.k, depth = panels.depth(), blocks = panels.bits.blocks();
  const int64_t stride = depth * panels.row_bytes(), parameters = blocks * kGroupColumns;
  const Codes<bits> codes(has_zeros ? 0.0f : panels.middle);
  const uint8_t* words = panels.group(group);
  const float* scales = panels.scales.data() + group * parameters;
  const float* all_scales = panels.scales.data();
  const float* values = a.values;
  __m512 total[rows][kVectors];
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v)
#pragma GCC unroll 2
    for (int r = 0; r < rows; ++r) total[r][v] = _mm512_loadu_ps(y + (v / 2 * rows + r) * kGroupColumns + v % 2 * 16);
  for (int64_t first = 0; first < k; first += panels.bits.block) {
    const int64_t last = std::min(first + panels.bits.block, k);
    __m512 scale[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) scale[v] = _mm512_loadu_ps(scales + v / 2 * parameters + v % 2 * 16);
    alignas(64) float zeros[has_zeros ? kVectors * 16 : 16];
    for (int v = 0; has_zeros && v < kVectors; ++v)
      _mm512_store_ps(zeros + 16 * v, zeros_at(panels, scales - all_scales + v / 2 * parameters + v % 2 * 16));
    for (int64_t p = first; p < last; p += kWordRows, words += kWordBytes) {
      __m512i rest[kVectors];
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        const uint8_t* from = words + v / 2 * stride + v % 2 * 64;
        _mm_prefetch(reinterpret_cast<const char*>(from + kAheadBytes), _MM_HINT_T0);
        rest[v] = _mm512_loadu_si512(from);
      }
      const auto add_row = [&](int64_t row) SDX_TARGET __attribute__((always_inline)) {
        __m512 element[rows];
#pragma GCC unroll 2
        for (int r = 0; r < rows; ++r) element[r] = _mm512_set1_ps(values[r * depth + row]);
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
          __m512 weight = codes.of(rest[v]);
          if (has_zeros) weight = _mm512_sub_ps(weight, _mm512_load_ps(zeros + 16 * v));
          weight = _mm512_mul_ps(weight, scale[v]);
#pragma GCC unroll 2
          for (int r = 0; r < rows; ++r) total[r][v] = _mm512_fmadd_ps(element[r], weight, total[r][v]);
          rest[v] = _mm512_srli_epi32(rest[v], bits);
        }
      };
      if (last - p >= kWordRows) {
#pragma GCC unroll 16
        for (int64_t i = 0; i < kWordRows; ++i) add_row(p + i);
      } else {
        for (int64_t i = 0; i < last - p; ++i) add_row(p + i);
      }
    }
    scales += kGroupColumns;
  }
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v)
#pragma GCC unroll 2
    for (int r = 0; r < rows; ++r) _mm512_storeu_ps(y + (v / 2 * rows + r) * kGroupColumns + v % 2 * 16, total[r][v]);
}

template <int bits, int rows, int groups>
SDX_TARGET void multiply_with(const NBitsPanels& panels, int64_t group, const NBitsRows& a, float* y) {
  if (!panels.has_zeros()) return multiply_groups<bits, rows, groups, false>(panels, group, a, y);
  multiply_groups<bits, rows, groups, true>(panels, group, a, y);
}

template <int bits, int rows>
SDX_TARGET void multiply_rows(const NBitsPanels& panels, int64_t group, int64_t groups, const NBitsRows& a, float* y) {
  constexpr int kMost = rows == 1 ? 4 : 2;
  int64_t g = 0;
  for (; g + kMost <= groups; g += kMost)
    multiply_with<bits, rows, kMost>(panels, group + g, a, y + g * rows * kGroupColumns);
  for (; g < groups; ++g) multiply_with<bits, rows, 1>(panels, group + g, a, y + g * rows * kGroupColumns);
}

template <int bits>
SDX_TARGET void multiply(const NBitsPanels& panels, int64_t group, int64_t groups, const NBitsRows& a, float* y) {
  if (a.count == 2) return multiply_rows<bits, 2>(panels, group, groups, a, y);
  multiply_rows<bits, 1>(panels, group, groups, a, y);
}

// As NBitsKernels::fill: a panel is as wide as a group.
template <int bits, bool has_zeros>
SDX_TARGET void fill_group(const NBitsPanels& panels, int64_t p, int64_t count, int64_t group, float* panel) {
  constexpr int64_t kWordRows = word_rows(bits), kWordBytes = 4 * kGroupColumns;
  const int64_t block_rows = panels.bits.block, end = p + count, next = panels.depth() * panels.row_bytes();
  const Codes<bits> codes(has_zeros ? 0.0f : panels.middle);
  const uint8_t* words = panels.group(group) + p / kWordRows * kWordBytes;
  int64_t block = p / block_rows;
  while (p < end) {
    const int64_t at = (group * panels.bits.blocks() + block) * kGroupColumns;
    const __m512 scale[2] = {_mm512_loadu_ps(&panels.scales[static_cast<size_t>(at)]),
                             _mm512_loadu_ps(&panels.scales[static_cast<size_t>(at + 16)])};
    __m512 zero[2] = {};
    if (has_zeros) {
      zero[0] = zeros_at(panels, at);
      zero[1] = zeros_at(panels, at + 16);
    }
    const int64_t last = std::min(++block * block_rows, end);
    for (; p < last; p += kWordRows, words += kWordBytes) {
      // A product asks for the same rows of the next group.
      _mm_prefetch(reinterpret_cast<const char*>(words + next), _MM_HINT_T1);
      _mm_prefetch(reinterpret_cast<const char*>(words + next + 64), _MM_HINT_T1);
      __m512i rest[2] = {_mm512_loadu_si512(words), _mm512_loadu_si512(words + 64)};
      const auto fill_row = [&]() SDX_TARGET __attribute__((always_inline)) {
#pragma GCC unroll 2
        for (int v = 0; v < 2; ++v) {
          __m512 weight = codes.of(rest[v]);
          if (has_zeros) weight = _mm512_sub_ps(weight, zero[v]);
          _mm512_storeu_ps(panel + 16 * v, _mm512_mul_ps(weight, scale[v]));
          rest[v] = _mm512_srli_epi32(rest[v], bits);
        }
        panel += kGroupColumns;
      };
      if (last - p >= kWordRows) {
#pragma GCC unroll 16
        for (int64_t i = 0; i < kWordRows; ++i) fill_row();
      } else {
        for (int64_t i = p; i < last; ++i) fill_row();
      }
    }
  }
}

template <int bits>
SDX_TARGET void fill(const void* source, int64_t p, int64_t count, int64_t column, int64_t columns, float* panel) {
  const auto& panels = *static_cast<const NBitsPanels*>(source);
  static_cast<void>(columns);  // beyond n, scales are 0
  if (!panels.has_zeros()) return fill_group<bits, false>(panels, p, count, column / kGroupColumns, panel);
  fill_group<bits, true>(panels, p, count, column / kGroupColumns, panel);
}

#undef SDX_TARGET
}  // namespace
}  // namespace avx512

MultiplyGroups multiply_groups_avx512(int64_t bits) {
  if (bits == 2) return avx512::multiply<2>;
  return bits == 4 ? avx512::multiply<4> : avx512::multiply<8>;
}

FillGroup fill_avx512(int64_t bits) {
  if (bits == 2) return avx512::fill<2>;
  return bits == 4 ? avx512::fill<4> : avx512::fill<8>;
}

}  // namespace sdx::ops
#endif
