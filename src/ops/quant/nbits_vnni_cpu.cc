// Rounded rows times codes of 2, 4 or 8 bits by the dot products of VNNI: the codes are the unsigned bytes.
#include "ops/quant/nbits_panels.h"

#if defined(__x86_64__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // in the intrinsics' own "undefined" values
#include <immintrin.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace sdx::ops {
namespace avx512_vnni {
namespace {

#define SDX_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

// Written out: GCC 12 moves a sum to another register and back around the intrinsic.
SDX_TARGET inline __m512i add_dots(__m512i sum, __m512i bytes, __m512i lanes) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(bytes), "v"(lanes));
  return sum;
}

template <int bits, int rows, bool has_zeros>
SDX_TARGET void multiply_rows(const NBitsPanels& panels, int64_t group, const NBitsRows& a, float* y) {
  constexpr int kParts = 8 / bits;
  constexpr int64_t kWordRows = 32 / bits;
  const int64_t blocks = panels.bits.blocks(), block_words = panels.bits.block / kWordRows;
  const __m512i mask = _mm512_set1_epi8(static_cast<char>((1 << bits) - 1));
  const uint8_t* words = panels.group(group);
  const int8_t* codes = a.codes;
  const float* scales = panels.scales.data() + group * blocks * kGroupColumns;
  const float* zeros = has_zeros ? panels.zeros.data() + group * blocks * kGroupColumns : nullptr;
  const float* own_scales = a.scales;
  const int32_t* own_sums = a.sums;
  for (int64_t left = panels.depth() / kWordRows; left > 0; left -= block_words) {
    __m512i sums[rows][2];
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r)
      sums[r][0] = sums[r][1] = has_zeros ? _mm512_setzero_si512() : _mm512_set1_epi32(own_sums[r]);
    for (int64_t word = std::min(left, block_words); word > 0; --word) {
      const __m512i both[2] = {_mm512_loadu_si512(words), _mm512_loadu_si512(words + 64)};
#pragma GCC unroll 4
      for (int part = 0; part < kParts; ++part) {
        __m512i bytes[2];
#pragma GCC unroll 2
        for (int v = 0; v < 2; ++v)
          bytes[v] = bits == 8 ? both[v]
                               : _mm512_and_si512(part == 0 ? both[v] : _mm512_srli_epi16(both[v], part * bits), mask);
#pragma GCC unroll 16
        for (int r = 0; r < rows; ++r) {
          int32_t four;
          std::memcpy(&four, codes + 4 * (part * rows + r), sizeof(four));
          const __m512i lanes = _mm512_set1_epi32(four);
          sums[r][0] = add_dots(sums[r][0], bytes[0], lanes);
          sums[r][1] = add_dots(sums[r][1], bytes[1], lanes);
        }
      }
      words += 4 * kGroupColumns;
      codes += 4 * kParts * rows;
    }
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) {
      const __m512 scale = _mm512_loadu_ps(scales + 16 * v);
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) {
        __m512 sum = _mm512_cvtepi32_ps(sums[r][v]);
        if (has_zeros)
          sum = _mm512_fnmadd_ps(_mm512_loadu_ps(zeros + 16 * v), _mm512_set1_ps(static_cast<float>(own_sums[r])), sum);
        float* total = y + r * kGroupColumns + 16 * v;
        _mm512_storeu_ps(
            total, _mm512_fmadd_ps(_mm512_mul_ps(scale, _mm512_set1_ps(own_scales[r])), sum, _mm512_loadu_ps(total)));
      }
    }
    std::atomic_signal_fence(std::memory_order_seq_cst);  // registers are for the sums: y stays in memory
    scales += kGroupColumns;
    if (has_zeros) zeros += kGroupColumns;
    own_scales += rows;
    own_sums += rows;
  }
}

template <int bits, int... rows>
SDX_TARGET void multiply_some(const NBitsPanels& panels, int64_t group, const NBitsRows& a, float* y,
                              std::integer_sequence<int, rows...>) {
  const auto multiply = [&]<int count>() {
    if (panels.zeros.empty()) return multiply_rows<bits, count, false>(panels, group, a, y);
    multiply_rows<bits, count, true>(panels, group, a, y);
  };
  static_cast<void>(((a.count == rows + 1 && (multiply.template operator()<rows + 1>(), true)) || ...));
}
template <int bits>
SDX_TARGET void multiply_codes(const NBitsPanels& panels, int64_t group, const NBitsRows& rows, float* y) {
  multiply_some<bits>(panels, group, rows, y, std::make_integer_sequence<int, kMostRows>());
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
