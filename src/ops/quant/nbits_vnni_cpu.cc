// Rounded rows times codes of 2, 4 or 8 bits by the dot products of VNNI: the codes are the unsigned bytes.
#include "ops/quant/nbits_panels.h"

#if defined(__x86_64__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // in the intrinsics' own "undefined" values
#include <immintrin.h>

#include <algorithm>
#include <cstring>

namespace sdx::ops {
namespace avx512_vnni {
namespace {

#define SDX_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

template <int bits, int rows>
SDX_TARGET void multiply_rows(const NBitsPanels& panels, int64_t group, const NBitsRows& a, float* y) {
  constexpr int kParts = 8 / bits;
  constexpr int64_t kWordRows = 32 / bits;
  const int64_t blocks = panels.bits.blocks(), depth = panels.depth();
  const __m512i mask = _mm512_set1_epi8(static_cast<char>((1 << bits) - 1));
  const bool has_zeros = !panels.zeros.empty();
  const auto middle = static_cast<int32_t>(panels.middle);
  __m512 total[rows][2];
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) total[r][v] = _mm512_loadu_ps(y + r * kGroupColumns + 16 * v);
  const uint8_t* words = panels.group(group);
  const int8_t* codes = a.codes;
  for (int64_t block = 0; block < blocks; ++block) {
    __m512i sums[rows][2];
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r)
      sums[r][0] = sums[r][1] = _mm512_set1_epi32(has_zeros ? 0 : -middle * a.sums[r * blocks + block]);
    const int64_t last = std::min((block + 1) * panels.bits.block, depth);
    for (int64_t p = block * panels.bits.block; p < last; p += kWordRows, words += 4 * kGroupColumns) {
      const __m512i word[2] = {_mm512_loadu_si512(words), _mm512_loadu_si512(words + 64)};
#pragma GCC unroll 4
      for (int part = 0; part < kParts; ++part) {
        __m512i bytes[2];
#pragma GCC unroll 2
        for (int v = 0; v < 2; ++v)
          bytes[v] = bits == 8 ? word[v]
                               : _mm512_and_si512(part == 0 ? word[v] : _mm512_srli_epi16(word[v], part * bits), mask);
#pragma GCC unroll 4
        for (int r = 0; r < rows; ++r) {
          int32_t four;
          std::memcpy(&four, codes + r * depth + p + 4 * part, sizeof(four));
          const __m512i lanes = _mm512_set1_epi32(four);
          sums[r][0] = _mm512_dpbusd_epi32(sums[r][0], bytes[0], lanes);
          sums[r][1] = _mm512_dpbusd_epi32(sums[r][1], bytes[1], lanes);
        }
      }
    }
    const int64_t parameters = (group * blocks + block) * kGroupColumns;
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) {
      const __m512 scale = _mm512_loadu_ps(panels.scales.data() + parameters + 16 * v);
#pragma GCC unroll 4
      for (int r = 0; r < rows; ++r) {
        __m512 sum = _mm512_cvtepi32_ps(sums[r][v]);
        if (has_zeros)
          sum = _mm512_fnmadd_ps(_mm512_loadu_ps(panels.zeros.data() + parameters + 16 * v),
                                 _mm512_set1_ps(static_cast<float>(a.sums[r * blocks + block])), sum);
        const __m512 scales = _mm512_mul_ps(scale, _mm512_set1_ps(a.scales[r * blocks + block]));
        total[r][v] = _mm512_fmadd_ps(scales, sum, total[r][v]);
      }
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) _mm512_storeu_ps(y + r * kGroupColumns + 16 * v, total[r][v]);
}

template <int bits>
SDX_TARGET void multiply_codes(const NBitsPanels& panels, int64_t group, const NBitsRows& rows, float* y) {
  switch (rows.count) {
    case 4: return multiply_rows<bits, 4>(panels, group, rows, y);
    case 3: return multiply_rows<bits, 3>(panels, group, rows, y);
    case 2: return multiply_rows<bits, 2>(panels, group, rows, y);
    default: return multiply_rows<bits, 1>(panels, group, rows, y);
  }
}

#undef SDX_TARGET
}  // namespace
}  // namespace avx512_vnni

MultiplyCodesOfRows multiply_codes_avx512_vnni(int64_t bits) {
  if (bits == 2) return avx512_vnni::multiply_codes<2>;
  return bits == 4 ? avx512_vnni::multiply_codes<4> : avx512_vnni::multiply_codes<8>;
}

}  // namespace sdx::ops
#endif
