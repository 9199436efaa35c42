// 8-bit products by the dot products of VNNI: four bytes of a, in every lane, times four bytes of 16 (8) columns.
#include "ops/quant/integer_convolution_kernels.h"
#include "ops/quant/integer_gemm.h"

#if defined(__x86_64__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // in the intrinsics' own "undefined" values
#include <immintrin.h>

#include <algorithm>
#include <cstring>

namespace sdx::ops {
namespace avx512_vnni {
namespace {

#define SDX_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

template <bool a_signed, int rows, int vectors>
SDX_TARGET void tile(const IntegerBlock& block, int64_t row, int64_t panel) {
  __m512i sums[rows][vectors];
#pragma GCC unroll 12
  for (int r = 0; r < rows; ++r) {
    const __m512i start = _mm512_set1_epi32(block.row_start != nullptr ? block.row_start[row + r] : 0);
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) sums[r][v] = start;
  }
  const int64_t stride = block.a_row, step = block.a_step;
  const uint8_t* a[(rows + 3) / 4];  // every fourth row
  for (int i = 0; i < (rows + 3) / 4; ++i) a[i] = row_of(block, row) + 4 * i * stride;
  const uint8_t* b = block.b + panel * block.panel_stride;
  for (int64_t k = 0; k < block.steps; ++k) {
    __m512i columns[vectors];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) columns[v] = _mm512_loadu_si512(b + v * block.panel_stride);
#pragma GCC unroll 12
    for (int r = 0; r < rows; ++r) {
      int32_t four;
      std::memcpy(&four, a[r / 4] + r % 4 * stride, sizeof(four));
      const __m512i lanes = _mm512_set1_epi32(four);
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v)
        sums[r][v] = a_signed ? _mm512_dpbusd_epi32(sums[r][v], columns[v], lanes)
                              : _mm512_dpbusd_epi32(sums[r][v], lanes, columns[v]);
    }
#pragma GCC unroll 4
    for (int i = 0; i < (rows + 3) / 4; ++i) a[i] += step;
    b += 4 * kPanelColumns;
  }
#pragma GCC unroll 4
  for (int v = 0; v < vectors; ++v) {
    const int64_t column = (panel + v) * kPanelColumns;
    const __m512i start =
        block.column_start != nullptr ? _mm512_loadu_si512(block.column_start + column) : _mm512_setzero_si512();
#pragma GCC unroll 12
    for (int r = 0; r < rows; ++r) {
      __m512i sum = _mm512_add_epi32(sums[r][v], start);
      if (block.row_factor != nullptr)
        sum = _mm512_sub_epi32(sum, _mm512_mullo_epi32(_mm512_set1_epi32(block.row_factor[row + r]),
                                                       _mm512_loadu_si512(block.column_factor + column)));
      _mm512_storeu_si512(block.c + (row + r) * block.c_row + column, sum);
    }
  }
}

template <bool a_signed, int vectors, int most_rows>
SDX_TARGET void some_panels(const IntegerBlock& block, int64_t panel) {
  int64_t row = 0;
  if constexpr (most_rows == 12)
    for (; row + 12 <= block.rows; row += 12) tile<a_signed, 12, vectors>(block, row, panel);
  for (; row + 8 <= block.rows; row += 8) tile<a_signed, 8, vectors>(block, row, panel);
  if (row + 4 <= block.rows) tile<a_signed, 4, vectors>(block, row, panel), row += 4;
  if (row + 2 <= block.rows) tile<a_signed, 2, vectors>(block, row, panel), row += 2;
  if (row < block.rows) tile<a_signed, 1, vectors>(block, row, panel);
}

// Three panels at a time, and twos instead of a single one at the end.
template <bool a_signed>
SDX_TARGET void multiply(const IntegerBlock& block) {
  int64_t panel = 0;
  const bool twelve = block.a_step == kDepthStep;
  while (panel < block.panels) {
    const int64_t left = block.panels - panel;
    if (left == 1) {
      some_panels<a_signed, 1, 8>(block, panel);
      panel += 1;
    } else if (left == 2 || left == 4) {
      if (twelve)
        some_panels<a_signed, 2, 12>(block, panel);
      else
        some_panels<a_signed, 2, 8>(block, panel);
      panel += 2;
    } else {
      some_panels<a_signed, 3, 8>(block, panel);
      panel += 3;
    }
  }
}

SDX_TARGET inline __m128i load(const uint8_t* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }

// The bytes of 16 pixels in fours: each quarter of the vector from 16 bytes of the row.
SDX_TARGET inline __m512i fours_of_pixels(const uint8_t* from, int64_t stride, __m512i pattern) {
  __m512i bytes = _mm512_castsi128_si512(load(from));
  bytes = _mm512_inserti32x4(bytes, load(from + 4 * stride), 1);
  bytes = _mm512_inserti32x4(bytes, load(from + 8 * stride), 2);
  bytes = _mm512_inserti32x4(bytes, load(from + 12 * stride), 3);
  return _mm512_shuffle_epi8(bytes, pattern);
}

SDX_TARGET void channel_row(const ChannelRow& row) {
  alignas(16) uint8_t order[16];
  for (int i = 0; i < 16; ++i) order[i] = static_cast<uint8_t>(i / 4 * row.stride + i % 4);
  const __m512i pattern = _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(order)));
  const __m512i flips = _mm512_set1_epi8(static_cast<char>(row.turned));
  for (int64_t i = 0; i < row.count; i += 16) {
    __m512i sum = _mm512_set1_epi32(row.start);
    const int32_t* taps = row.taps;
    const uint8_t* from = row.from + i * row.stride;
    for (int64_t y = 0; y < row.kernel_height; ++y, from += row.row)
      for (int64_t four = 0; four < row.fours; ++four, ++taps)
        sum = _mm512_dpbusd_epi32(sum, _mm512_xor_si512(fours_of_pixels(from + 4 * four, row.stride, pattern), flips),
                                  _mm512_set1_epi32(*taps));
    _mm512_storeu_si512(row.c + i, sum);
  }
}

#undef SDX_TARGET
}  // namespace
}  // namespace avx512_vnni

namespace avx2_vnni {
namespace {

#define SDX_TARGET __attribute__((target("avx2,avxvnni")))

SDX_TARGET inline __m256i load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }

template <bool a_signed, int rows>
SDX_TARGET void tile(const IntegerBlock& block, int64_t row, int64_t panel) {
  __m256i sums[rows][2];
#pragma GCC unroll 6
  for (int r = 0; r < rows; ++r)
    sums[r][0] = sums[r][1] = _mm256_set1_epi32(block.row_start != nullptr ? block.row_start[row + r] : 0);
  const int64_t stride = block.a_row, step = block.a_step;
  const uint8_t* a = row_of(block, row);
  const uint8_t* b = block.b + panel * block.panel_stride;
  for (int64_t k = 0; k < block.steps; ++k) {
    __m256i columns[2];
    columns[0] = load(b);
    columns[1] = load(b + 32);
#pragma GCC unroll 6
    for (int r = 0; r < rows; ++r) {
      int32_t four;
      std::memcpy(&four, a + r * stride, sizeof(four));
      const __m256i lanes = _mm256_set1_epi32(four);
#pragma GCC unroll 2
      for (int v = 0; v < 2; ++v)
        sums[r][v] = a_signed ? _mm256_dpbusd_avx_epi32(sums[r][v], columns[v], lanes)
                              : _mm256_dpbusd_avx_epi32(sums[r][v], lanes, columns[v]);
    }
    a += step;
    b += 4 * kPanelColumns;
  }
#pragma GCC unroll 2
  for (int v = 0; v < 2; ++v) {
    const int64_t column = panel * kPanelColumns + v * 8;
    const __m256i start = block.column_start != nullptr ? load(block.column_start + column) : _mm256_setzero_si256();
#pragma GCC unroll 6
    for (int r = 0; r < rows; ++r) {
      __m256i sum = _mm256_add_epi32(sums[r][v], start);
      if (block.row_factor != nullptr)
        sum = _mm256_sub_epi32(
            sum, _mm256_mullo_epi32(_mm256_set1_epi32(block.row_factor[row + r]), load(block.column_factor + column)));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(block.c + (row + r) * block.c_row + column), sum);
    }
  }
}

template <bool a_signed>
SDX_TARGET void multiply(const IntegerBlock& block) {
  for (int64_t panel = 0; panel < block.panels; ++panel) {
    int64_t row = 0;
    // Rows of a that lie together in eights stay together.
    for (; block.a_step == kDepthStep && row + 6 <= block.rows; row += 6) tile<a_signed, 6>(block, row, panel);
    for (; row + 4 <= block.rows; row += 4) tile<a_signed, 4>(block, row, panel);
    if (row + 2 <= block.rows) tile<a_signed, 2>(block, row, panel), row += 2;
    if (row < block.rows) tile<a_signed, 1>(block, row, panel);
  }
}

#undef SDX_TARGET
}  // namespace
}  // namespace avx2_vnni

MultiplyBlock multiply_block_avx512_vnni(Signed which) {
  return which == Signed::a ? avx512_vnni::multiply<true> : avx512_vnni::multiply<false>;
}
void channel_row_avx512_vnni(const ChannelRow& row) { avx512_vnni::channel_row(row); }
MultiplyBlock multiply_block_avx2_vnni(Signed which) {
  return which == Signed::a ? avx2_vnni::multiply<true> : avx2_vnni::multiply<false>;
}

}  // namespace sdx::ops
#endif
