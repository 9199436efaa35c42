// Products of bfloat16 pairs for AVX-512 BF16: a tile of c in registers, a panel of b streaming by.
#include "ops/linalg/gemm_bf16.h"

#include "base/cpu.h"
#include "base/stop_point.h"

#if defined(__x86_64__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // in the intrinsics' own "undefined" values
#include <immintrin.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace sdx::ops {
namespace avx512_bf16 {
namespace {

#define SDX_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16")))

constexpr int64_t kWidth = 32, kMostRows = 12, kPanelPairs = 256, kBlockRows = 120;

SDX_TARGET __mmask16 left_mask(int64_t columns) {
  return columns >= 16 ? 0xffff : columns <= 0 ? 0 : static_cast<__mmask16>((1 << columns) - 1);
}

struct Tile {
  const uint32_t *a, *b;
  int64_t a_row, pairs, c_row, columns, from_row;
  float* c;
  const float* from;  // what the sums start from, else the bias, else zero; null: none
  const float* bias;
};

template <int rows>
SDX_TARGET void multiply_tile(const Tile& t) {
  const __mmask16 masks[2] = {left_mask(t.columns), left_mask(t.columns - 16)};
  __m512 sums[rows][2];
#pragma GCC unroll 12
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v)
      sums[r][v] = t.from != nullptr   ? _mm512_maskz_loadu_ps(masks[v], t.from + r * t.from_row + 16 * v)
                   : t.bias != nullptr ? _mm512_maskz_loadu_ps(masks[v], t.bias + 16 * v)
                                       : _mm512_setzero_ps();
  const uint32_t *a = t.a, *b = t.b;
  const int64_t a_row = t.a_row;
  for (int64_t p = 0; p < t.pairs; ++p, ++a, b += kWidth) {
    const auto b0 = reinterpret_cast<__m512bh>(_mm512_loadu_si512(b));
    const auto b1 = reinterpret_cast<__m512bh>(_mm512_loadu_si512(b + 16));
    _mm_prefetch(reinterpret_cast<const char*>(b + 24 * kWidth), _MM_HINT_T0);
    _mm_prefetch(reinterpret_cast<const char*>(b + 24 * kWidth + 16), _MM_HINT_T0);
#pragma GCC unroll 12
    for (int r = 0; r < rows; ++r) {
      const auto element = reinterpret_cast<__m512bh>(_mm512_set1_epi32(static_cast<int>(a[r * a_row])));
      sums[r][0] = _mm512_dpbf16_ps(sums[r][0], element, b0);
      sums[r][1] = _mm512_dpbf16_ps(sums[r][1], element, b1);
    }
  }
#pragma GCC unroll 12
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) _mm512_mask_storeu_ps(t.c + r * t.c_row + 16 * v, masks[v], sums[r][v]);
}

template <int... rows>
SDX_TARGET void multiply_some(const Tile& t, int64_t count, std::integer_sequence<int, rows...>) {
  static_cast<void>(((count == rows + 1 && (multiply_tile<rows + 1>(t), true)) || ...));
}

SDX_TARGET void multiply_block(const GemmBF16& g, int64_t first, int64_t rows, int64_t panel) {
  const int64_t column = panel * kWidth, n = g.b->n(), a_row = bf16_row(g.b->k());
  const int64_t columns = std::min(kWidth, n - column);
  float* c = g.c + first * n + column;
  alignas(64) float made[kBlockRows * kWidth];
  const int64_t tiles = (rows + kMostRows - 1) / kMostRows, height = rows / tiles, taller = rows % tiles;
  for (int64_t p = 0; p == 0 || p < g.b->pairs(); p += kPanelPairs) {
    stop_point(kPanelPairs);
    const bool finishes = g.finish != nullptr && p + kPanelPairs >= g.b->pairs();
    Tile t{.a = g.a + first * a_row + p,
           .b = g.b->panel(panel) + p * kWidth,
           .a_row = a_row,
           .pairs = std::min(kPanelPairs, g.b->pairs() - p),
           .c_row = finishes ? columns : n,
           .columns = columns,
           .from_row = n,
           .c = finishes ? made : c,
           .from = p > 0 ? c : nullptr,
           .bias = g.bias == nullptr ? nullptr : g.bias + column};
    for (int64_t tile = 0; tile < tiles; ++tile) {
      const int64_t count = height + (tile < taller ? 1 : 0);
      multiply_some(t, count, std::make_integer_sequence<int, kMostRows>());
      t.a += count * a_row;
      t.c += count * t.c_row;
      if (t.from != nullptr) t.from += count * n;
    }
    if (finishes) (*g.finish)(made, c, rows, columns);
  }
}

SDX_TARGET void round_row(const float* from, int64_t count, uint32_t* to) {
  for (int64_t i = 0; i < count; i += 32) {
    const __m512 low = _mm512_maskz_loadu_ps(left_mask(count - i), from + i);
    const __m512 high = _mm512_maskz_loadu_ps(left_mask(count - i - 16), from + i + 16);
    const auto both = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low));
    _mm512_mask_storeu_epi32(to + i / 2, left_mask((count - i + 1) / 2), both);
  }
}

#undef SDX_TARGET
}  // namespace
}  // namespace avx512_bf16

bool has_bf16_products() { return supports(Isa::avx512_bf16); }

int64_t bf16_row(int64_t k) {
  const int64_t words = (k + 31) / 32 * 16;
  return words % 512 == 0 ? words + 16 : words;
}

void round_row_bf16(const float* from, int64_t count, uint32_t* to) { avx512_bf16::round_row(from, count, to); }

int64_t PackedBF16::bytes_for(int64_t k, int64_t n) {
  const auto count = checked_mul((k + 1) / 2, (n + 31) / 32 * 32);
  return (count ? checked_mul(*count, sizeof(uint32_t)) : std::nullopt).value_or(0);
}

Result<PackedBF16> PackedBF16::create(MatrixF32 b, int64_t k, int64_t n) {
  PackedBF16 packed;
  packed.k_ = k;
  packed.n_ = n;
  SDX_ASSIGN(const std::shared_ptr<void> memory, allocate_bytes(static_cast<size_t>(bytes_for(k, n))));
  packed.memory_ = std::shared_ptr<uint32_t>(memory, static_cast<uint32_t*>(memory.get()));
  auto* to = packed.memory_.get();
  float pairs[64];
  for (int64_t column = 0; column < n; column += 32)
    for (int64_t p = 0; p < k; p += 2, to += 32) {
      for (int64_t j = 0; j < 32; ++j)
        for (int64_t i = 0; i < 2; ++i)
          pairs[2 * j + i] = column + j < n && p + i < k ? b.data[(p + i) * b.row + (column + j) * b.column] : 0;
      round_row_bf16(pairs, 64, to);
    }
  return packed;
}

Status gemm_bf16(KernelContext& ctx, const GemmBF16& g) {
  using namespace avx512_bf16;
  if (g.m <= 0 || g.b->n() <= 0) return {};
  const int64_t parts = (g.m + kBlockRows - 1) / kBlockRows, panels = (g.b->n() + kWidth - 1) / kWidth;
  const int64_t grain =
      std::max<int64_t>(1, 4'000'000 / std::max<int64_t>(1, std::min(g.m, kBlockRows) * kWidth * 2 * g.b->k()));
  return parallel_ranges(ctx, parts * panels, grain, [&](int64_t begin, int64_t end) {
    const StopScope stops(ctx.environment().cancel);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i / panels * g.m / parts, last = (i / panels + 1) * g.m / parts;
      multiply_block(g, first, last - first, i % panels);
    }
  });
}

}  // namespace sdx::ops

#else

namespace sdx::ops {

bool has_bf16_products() { return false; }
int64_t bf16_row(int64_t k) { return (k + 1) / 2; }
void round_row_bf16(const float*, int64_t, uint32_t*) {}
int64_t PackedBF16::bytes_for(int64_t, int64_t) { return 0; }
Result<PackedBF16> PackedBF16::create(MatrixF32, int64_t, int64_t) { return PackedBF16(); }
Status gemm_bf16(KernelContext&, const GemmBF16&) { return {}; }

}  // namespace sdx::ops
#endif
