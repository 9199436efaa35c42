// Rounded rows, and rows of digits, times codes of 2, 4 or 8 bits by the dot products of VNNI: the codes are the
// unsigned bytes.
#include "ops/quant/nbits_panels.h"

#if defined(__x86_64__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // in the intrinsics' own "undefined" values
#include <immintrin.h>

#include <algorithm>
#include <atomic>
#include <cmath>
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

constexpr int64_t kAheadBytes = 3072, kScalesAhead = 384;  // far enough for memory, and of floats

// Of an element's digits, the lowest first, or its only one.
template <int digits>
SDX_TARGET inline __m512 sum_of_digits(const __m512i* sums, int step) {
  __m512 all = _mm512_cvtepi32_ps(sums[(digits - 1) * step]);
#pragma GCC unroll 2
  for (int digit = digits - 2; digit >= 0; --digit)
    all = _mm512_fmadd_ps(all, _mm512_set1_ps(256), _mm512_cvtepi32_ps(sums[digit * step]));
  return all;
}

SDX_TARGET inline __m512 zeros_at(const NBitsPanels& panels, int64_t at) {
  if (panels.byte_zeros.empty()) return _mm512_loadu_ps(panels.float_zeros.data() + at);
  const auto* bytes = reinterpret_cast<const __m128i*>(panels.byte_zeros.data() + at);
  return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(bytes)));
}

template <int bits, int rows, int digits, int groups, bool has_zeros>
SDX_TARGET void multiply_rows(const NBitsPanels& panels, int64_t group, const NBitsRows& a, float* y) {
  constexpr int kParts = 8 / bits, kVectors = 2 * groups, kRows = rows * digits;
  constexpr int64_t kWordRows = 32 / bits;
  const int64_t blocks = panels.bits.blocks(), block_words = panels.bits.block / kWordRows;
  const int64_t own_parameters = blocks * kGroupColumns, parameters = a.apart * own_parameters;
  const int64_t stride = a.apart * panels.depth() * panels.row_bytes();
  const __m512i mask = _mm512_set1_epi8(static_cast<char>((1 << bits) - 1));
  const uint8_t* words = panels.group(group);
  const int8_t* codes = a.codes;
  const float* scales = panels.scales.data() + group * own_parameters;
  const float* all_scales = panels.scales.data();
  const float* own_scales = a.scales;
  const int32_t* own_sums = a.sums;
  for (int64_t left = panels.depth() / kWordRows; left > 0; left -= block_words) {
    __m512i sums[kRows][kVectors];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const __m512i start = has_zeros ? _mm512_setzero_si512() : _mm512_set1_epi32(own_sums[r]);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) sums[r][v] = start;
    }
    for (int64_t word = std::min(left, block_words); word > 0; --word) {
      __m512i all[kVectors];
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        const uint8_t* from = words + v / 2 * stride + v % 2 * 64;
        if (groups > 1) _mm_prefetch(reinterpret_cast<const char*>(from + kAheadBytes), _MM_HINT_T0);
        all[v] = _mm512_loadu_si512(from);
      }
#pragma GCC unroll 4
      for (int part = 0; part < kParts; ++part) {
        __m512i bytes[kVectors];
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v)
          bytes[v] =
              bits == 8 ? all[v] : _mm512_and_si512(part == 0 ? all[v] : _mm512_srli_epi16(all[v], part * bits), mask);
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) {
          int32_t four;
          std::memcpy(&four, codes + 4 * (part * kRows + r), sizeof(four));
          const __m512i lanes = _mm512_set1_epi32(four);
#pragma GCC unroll 8
          for (int v = 0; v < kVectors; ++v) sums[r][v] = add_dots(sums[r][v], bytes[v], lanes);
        }
      }
      words += 4 * kGroupColumns;
      codes += 4 * kParts * kRows;
    }
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      const int64_t at = v / 2 * parameters + v % 2 * 16;
      if (groups > 1) _mm_prefetch(reinterpret_cast<const char*>(scales + at + kScalesAhead), _MM_HINT_T0);
      const __m512 scale = _mm512_loadu_ps(scales + at);
      const __m512 zero = has_zeros ? zeros_at(panels, scales + at - all_scales) : _mm512_setzero_ps();
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) {
        __m512 sum = sum_of_digits<digits>(&sums[r * digits][v], kVectors);
        if (has_zeros) {
          const float own = digits == 1 ? static_cast<float>(own_sums[r]) : a.totals[own_scales - a.scales + r];
          sum = _mm512_fnmadd_ps(zero, _mm512_set1_ps(own), sum);
        }
        float* total = y + (v / 2 * rows + r) * kGroupColumns + v % 2 * 16;
        _mm512_storeu_ps(
            total, _mm512_fmadd_ps(_mm512_mul_ps(scale, _mm512_set1_ps(own_scales[r])), sum, _mm512_loadu_ps(total)));
      }
    }
    std::atomic_signal_fence(std::memory_order_seq_cst);  // registers are for the sums: y stays in memory
    scales += kGroupColumns;
    own_scales += rows;
    own_sums += kRows;
  }
}

// Rows fewer than the most together, or one row with some groups.
template <int bits, int digits, int groups, int... rows>
SDX_TARGET void multiply_some(const NBitsPanels& panels, int64_t group, int64_t count, const NBitsRows& a, float* y,
                              std::integer_sequence<int, rows...>) {
  const auto multiply = [&]<int some_rows, int some>() {
    if (!panels.has_zeros()) return multiply_rows<bits, some_rows, digits, some, false>(panels, group, a, y);
    multiply_rows<bits, some_rows, digits, some, true>(panels, group, a, y);
  };
  while (count > 0) {
    const int64_t some = a.count == 1 && count >= groups ? groups : 1;
    if (some > 1) {
      multiply.template operator()<1, groups>();
    } else {
      static_cast<void>(((a.count == rows + 1 && (multiply.template operator()<rows + 1, 1>(), true)) || ...));
    }
    group += some * a.apart;
    count -= some;
    y += some * a.count * kGroupColumns;
  }
}
template <int bits>
SDX_TARGET void multiply_codes(const NBitsPanels& panels, int64_t group, int64_t groups, const NBitsRows& rows,
                               float* y) {
  multiply_some<bits, 1, 2>(panels, group, groups, rows, y, std::make_integer_sequence<int, kMostRows>());
}
template <int bits>
SDX_TARGET void multiply_digits(const NBitsPanels& panels, int64_t group, int64_t groups, const NBitsRows& rows,
                                float* y) {
  multiply_some<bits, kDigits, 2>(panels, group, groups, rows, y, std::make_integer_sequence<int, kDigitRows>());
}

// As round_block() puts them, but with three digits; false where no power of two makes whole numbers of them.
SDX_TARGET bool digits_of(const float* a, int64_t count, int64_t bits, int8_t* to, int64_t step, float* scale,
                          int32_t* sums) {
  constexpr float kMost = 8355711, kLeast = 1e-30f, kLargest = 1e30f;  // 127 in each digit
  const auto rest = [&](int64_t i) SDX_TARGET {
    return static_cast<__mmask16>(count - i >= 16 ? 0xffff : (1u << std::max<int64_t>(count - i, 0)) - 1);
  };
  __m512 largest = _mm512_setzero_ps();
  __mmask16 odd = 0;
  for (int64_t i = 0; i < count; i += 16) {
    const __m512 size = _mm512_abs_ps(_mm512_maskz_loadu_ps(rest(i), a + i));
    odd |= _mm512_cmp_ps_mask(size, _mm512_set1_ps(kLargest), _CMP_NLE_UQ);
    largest = _mm512_max_ps(largest, size);
  }
  const float most = _mm512_reduce_max_ps(largest);
  if (odd != 0 || (most != 0 && most < kLeast)) return false;
  int exponent = 0;  // the least whose power of two times kMost holds the largest
  std::frexp(most / kMost, &exponent);
  *scale = std::ldexp(1.0f, most == 0 ? 0 : exponent);
  const __m512 inverse = _mm512_set1_ps(1 / *scale);
  const __m128i order = _mm_loadu_si128(reinterpret_cast<const __m128i*>(code_order(bits)));
  const __m512i half = _mm512_set1_epi32(128);
  __m128i totals[kDigits] = {};
  const int64_t padded = padded_depth(count, bits);
  for (int64_t i = 0; i < padded; i += 16) {
    __m512i whole = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_maskz_loadu_ps(rest(i), a + i), inverse));
    const int64_t fours = std::min<int64_t>(4, (padded - i) / 4);
    alignas(16) int8_t some[kDigits][16];
#pragma GCC unroll 3
    for (int digit = 0; digit < kDigits; ++digit) {
      const __m128i bytes = _mm512_cvtepi32_epi8(whole);
      totals[digit] = _mm_dpbusd_epi32(totals[digit], _mm_set1_epi8(1), bytes);
      _mm_store_si128(reinterpret_cast<__m128i*>(some[digit]), _mm_shuffle_epi8(bytes, order));
      whole = _mm512_srai_epi32(_mm512_add_epi32(whole, half), 8);
    }
    for (int64_t four = 0; four < fours; ++four, to += step)
      for (int digit = 0; digit < kDigits; ++digit) std::memcpy(to + 4 * digit, some[digit] + 4 * four, 4);
  }
  for (int digit = 0; digit < kDigits; ++digit) {
    alignas(16) int32_t parts[4];
    _mm_store_si128(reinterpret_cast<__m128i*>(parts), totals[digit]);
    sums[digit] = parts[0] + parts[1] + parts[2] + parts[3];
  }
  return true;
}

#undef SDX_TARGET
}  // namespace
}  // namespace avx512_vnni

void use_avx512_vnni(int64_t bits, NBitsKernels& made) {
  made.multiply_codes = bits == 2   ? avx512_vnni::multiply_codes<2>
                        : bits == 4 ? avx512_vnni::multiply_codes<4>
                                    : avx512_vnni::multiply_codes<8>;
  made.code_rows = kMostRows;
  made.row_groups = 2;
  made.multiply_digits = bits == 2   ? avx512_vnni::multiply_digits<2>
                         : bits == 4 ? avx512_vnni::multiply_digits<4>
                                     : avx512_vnni::multiply_digits<8>;
  made.digits = avx512_vnni::digits_of;
}

}  // namespace sdx::ops
#endif
