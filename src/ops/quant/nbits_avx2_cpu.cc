// Rounded rows times codes of 2 or 4 bits where bytes have no dot product: sums of 16 bits hold some fours of codes.
#include "ops/quant/nbits_panels.h"

#if defined(__x86_64__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // in the intrinsics' own "undefined" values
#include <immintrin.h>

#include <algorithm>
#include <cstring>

namespace sdx::ops {
namespace avx2 {
namespace {

#define SDX_TARGET __attribute__((target("avx2,fma")))

// Words whose codes sums of 16 bits can hold: 8 fours, each at most 2 * 15 * 127 (4 bits), 16 of 2 * 3 * 127 (2 bits).
constexpr int64_t kWordsOfSums = 4;
static_assert(kWordsOfSums * 2 * (2 * 15 * 127) <= INT16_MAX);
static_assert(kWordsOfSums * 4 * (2 * 3 * 127) <= INT16_MAX);

SDX_TARGET inline __m256 zeros_at(const NBitsPanels& panels, int64_t at) {
  if (panels.byte_zeros.empty()) return _mm256_loadu_ps(panels.float_zeros.data() + at);
  const auto* bytes = reinterpret_cast<const __m128i*>(panels.byte_zeros.data() + at);
  return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(bytes)));
}

// Columns [8 * first, 8 * (first + vectors)) of a group.
template <int bits, int rows, int vectors, bool has_zeros>
SDX_TARGET inline void multiply_columns(const NBitsPanels& panels, int64_t group, const NBitsRows& a, float* y,
                                        int first) {
  constexpr int kParts = 8 / bits;
  constexpr int64_t kWordRows = 32 / bits;
  const int64_t blocks = panels.bits.blocks(), block_words = panels.bits.block / kWordRows;
  const __m256i mask = _mm256_set1_epi8(static_cast<char>((1 << bits) - 1)), ones = _mm256_set1_epi16(1);
  const uint8_t* words = panels.group(group) + 32 * first;
  const int8_t* codes = a.codes;
  const float* scales = panels.scales.data() + group * blocks * kGroupColumns + 8 * first;
  const float* all_scales = panels.scales.data();
  const float* own_scales = a.scales;
  const int32_t* own_sums = a.sums;
  for (int64_t left = panels.depth() / kWordRows; left > 0; left -= block_words) {
    __m256i sums[rows][vectors];
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v)
        sums[r][v] = has_zeros ? _mm256_setzero_si256() : _mm256_set1_epi32(own_sums[r]);
    for (int64_t some = std::min(left, block_words); some > 0; some -= kWordsOfSums) {
      __m256i short_sums[rows][vectors];
#pragma GCC unroll 4
      for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) short_sums[r][v] = _mm256_setzero_si256();
      for (int64_t word = std::min(some, kWordsOfSums); word > 0; --word) {
#pragma GCC unroll 4
        for (int part = 0; part < kParts; ++part) {
          __m256i bytes[vectors];
#pragma GCC unroll 4
          for (int v = 0; v < vectors; ++v) {
            const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + 32 * v));
            bytes[v] = _mm256_and_si256(part == 0 ? all : _mm256_srli_epi16(all, part * bits), mask);
          }
#pragma GCC unroll 4
          for (int r = 0; r < rows; ++r) {
            int32_t four;
            std::memcpy(&four, codes + 4 * (part * rows + r), sizeof(four));
            const __m256i lanes = _mm256_set1_epi32(four);
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v)
              short_sums[r][v] = _mm256_add_epi16(short_sums[r][v], _mm256_maddubs_epi16(bytes[v], lanes));
          }
        }
        words += 4 * kGroupColumns;
        codes += 4 * kParts * rows;
      }
#pragma GCC unroll 4
      for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v)
          sums[r][v] = _mm256_add_epi32(sums[r][v], _mm256_madd_epi16(short_sums[r][v], ones));
    }
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      const __m256 scale = _mm256_loadu_ps(scales + 8 * v);
      const __m256 zero = has_zeros ? zeros_at(panels, scales - all_scales + 8 * v) : _mm256_setzero_ps();
#pragma GCC unroll 4
      for (int r = 0; r < rows; ++r) {
        __m256 sum = _mm256_cvtepi32_ps(sums[r][v]);
        if (has_zeros) sum = _mm256_fnmadd_ps(zero, _mm256_set1_ps(static_cast<float>(own_sums[r])), sum);
        float* total = y + r * kGroupColumns + 8 * (first + v);
        _mm256_storeu_ps(
            total, _mm256_fmadd_ps(_mm256_mul_ps(scale, _mm256_set1_ps(own_scales[r])), sum, _mm256_loadu_ps(total)));
      }
    }
    scales += kGroupColumns;
    own_scales += rows;
    own_sums += rows;
  }
}

using MultiplyGroup = void (*)(const NBitsPanels&, int64_t, const NBitsRows&, float*);

template <int bits, int rows>
SDX_TARGET void multiply_rows(const NBitsPanels& panels, int64_t group, const NBitsRows& a, float* y) {
  constexpr int kVectors = rows == 1 ? 4 : 2;  // sums of 16 and of 32 bits, bytes, a row's four
  for (int first = 0; first < 4; first += kVectors) {
    if (!panels.has_zeros()) {
      multiply_columns<bits, rows, kVectors, false>(panels, group, a, y, first);
    } else {
      multiply_columns<bits, rows, kVectors, true>(panels, group, a, y, first);
    }
  }
}

template <int bits>
SDX_TARGET void multiply_codes(const NBitsPanels& panels, int64_t group, int64_t groups, const NBitsRows& rows,
                               float* y) {
  constexpr MultiplyGroup kByRows[] = {multiply_rows<bits, 1>, multiply_rows<bits, 2>, multiply_rows<bits, 3>,
                                       multiply_rows<bits, 4>};
  for (int64_t g = group; g < group + groups; ++g, y += rows.count * kGroupColumns)
    kByRows[rows.count - 1](panels, g, rows, y);
}

#undef SDX_TARGET
}  // namespace
}  // namespace avx2

MultiplyGroups multiply_codes_avx2(int64_t bits) {
  return bits == 2 ? avx2::multiply_codes<2> : avx2::multiply_codes<4>;
}

}  // namespace sdx::ops
#endif
