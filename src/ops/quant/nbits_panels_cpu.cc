#include "base/simd_targets.h"  // first

#include <cstring>

#include "ops/linalg/gemm.h"
#include "ops/quant/integer_dot-inl.h"
#include "ops/quant/nbits_panels.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;
constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(D()));
constexpr int64_t kVectors = ops::kGroupColumns / kLanes;

// Calls f(row, codes of columns [at, at + lanes)) for `count` rows from one row of words on.
template <int bits, typename F>
HWY_INLINE void for_each_row(const uint8_t* words, int64_t at, int64_t count, F f) {
  const D d;
  const hn::Rebind<int32_t, D> d32;
  const hn::RebindToUnsigned<D> du;
  auto rest = hn::LoadU(du, reinterpret_cast<const uint32_t*>(words) + at);
  const auto low = hn::Set(du, (1u << bits) - 1);
  for (int64_t i = 0; i < count; ++i, rest = hn::ShiftRight<bits>(rest))
    f(i, hn::ConvertTo(d, hn::BitCast(d32, hn::And(rest, low))));
}

HWY_INLINE V zeros_at(const ops::NBitsPanels& panels, int64_t at) {
  const D d;
  if (panels.byte_zeros.empty()) return hn::LoadU(d, panels.float_zeros.data() + at);
  const hn::Rebind<uint8_t, D> d8;
  return hn::ConvertTo(d, hn::PromoteTo(hn::Rebind<int32_t, D>(), hn::LoadU(d8, panels.byte_zeros.data() + at)));
}

template <int bits, int rows>
HWY_INLINE void multiply_rows(const ops::NBitsPanels& panels, int64_t group, const ops::NBitsRows& a, float* y) {
  constexpr int64_t kTogether = HWY_MIN(kVectors, 4 / rows);  // sums that need not wait for each other
  const D d;
  const int64_t k = panels.bits.k, blocks = panels.bits.blocks(), depth = panels.depth();
  constexpr int64_t kRows = ops::word_rows(bits), kWords = 4 * ops::kGroupColumns;
  const bool has_zeros = panels.has_zeros();
  for (int64_t v = 0; v < kVectors; v += kTogether) {
    V total[kTogether][rows];
    for (int w = 0; w < kTogether; ++w)
      for (int r = 0; r < rows; ++r) total[w][r] = hn::LoadU(d, y + r * ops::kGroupColumns + (v + w) * kLanes);
    const uint8_t* words = panels.group(group);
    for (int64_t block = 0; block < blocks; ++block) {
      const int64_t first = block * panels.bits.block, last = HWY_MIN(first + panels.bits.block, k);
      for (int64_t p = first; p < last; p += kRows, words += kWords) {
        for (int w = 0; w < kTogether; ++w) {
          const int64_t parameters = (group * blocks + block) * ops::kGroupColumns + (v + w) * kLanes;
          const V scale = hn::LoadU(d, panels.scales.data() + parameters);
          const V zero = has_zeros ? zeros_at(panels, parameters) : hn::Set(d, panels.middle);
          for_each_row<bits>(words, (v + w) * kLanes, HWY_MIN(kRows, last - p), [&](int64_t i, V codes) HWY_ATTR {
            const V weight = hn::Mul(hn::Sub(codes, zero), scale);
            for (int r = 0; r < rows; ++r)
              total[w][r] = hn::MulAdd(hn::Set(d, a.values[r * depth + p + i]), weight, total[w][r]);
          });
        }
      }
    }
    for (int w = 0; w < kTogether; ++w)
      for (int r = 0; r < rows; ++r) hn::StoreU(total[w][r], d, y + r * ops::kGroupColumns + (v + w) * kLanes);
  }
}

template <int bits>
void multiply_groups(const ops::NBitsPanels& panels, int64_t group, int64_t groups, const ops::NBitsRows& rows,
                     float* y) {
  for (int64_t g = group; g < group + groups; ++g, y += rows.count * ops::kGroupColumns) {
    if (rows.count == 2) {
      multiply_rows<bits, 2>(panels, g, rows, y);
    } else {
      multiply_rows<bits, 1>(panels, g, rows, y);
    }
  }
}

// Rounded rows times codes: sums of fours in 32 bits.
template <int bits, int rows>
HWY_INLINE void multiply_code_rows(const ops::NBitsPanels& panels, int64_t group, const ops::NBitsRows& a, float* y) {
  constexpr int64_t kRows = ops::word_rows(bits), kWords = 4 * ops::kGroupColumns;
  const D d;
  const hn::Rebind<int32_t, D> d32;
  const hn::Repartition<int16_t, decltype(d32)> d16;
  const hn::RebindToUnsigned<decltype(d16)> du16;
  const auto low = hn::Set(du16, static_cast<uint16_t>(((1 << bits) - 1) * 0x0101));
  const int64_t blocks = panels.bits.blocks(), depth = panels.depth();
  const bool has_zeros = panels.has_zeros();
  for (int64_t v = 0; v < kVectors; ++v) {
    V total[rows];
    for (int r = 0; r < rows; ++r) total[r] = hn::LoadU(d, y + r * ops::kGroupColumns + v * kLanes);
    const auto* words = reinterpret_cast<const uint16_t*>(panels.group(group) + v * kLanes * 4);
    for (int64_t block = 0; block < blocks; ++block) {
      const int64_t parameters = (group * blocks + block) * ops::kGroupColumns + v * kLanes;
      hn::Vec<decltype(d32)> sums[rows];
      for (int r = 0; r < rows; ++r) sums[r] = has_zeros ? hn::Zero(d32) : hn::Set(d32, a.sums[block * rows + r]);
      const int64_t first = block * panels.bits.block, last = HWY_MIN(first + panels.bits.block, depth);
      for (int64_t p = first; p < last; p += kRows, words += kWords / 2) {
        auto rest = hn::LoadU(du16, words);
        for (int part = 0; part < 8 / bits; ++part, rest = hn::ShiftRight<bits>(rest)) {
          const auto bytes = widen<false>(d16, hn::BitCast(d16, hn::And(rest, low)));
          for (int r = 0; r < rows; ++r) {
            int32_t four;
            std::memcpy(&four, a.codes + (p + 4 * part) * rows + 4 * r, sizeof(four));
            sums[r] = dot(d32, bytes, widen<true>(d16, hn::BitCast(d16, hn::Set(d32, four))), sums[r]);
          }
        }
      }
      const V scale = hn::LoadU(d, panels.scales.data() + parameters);
      for (int r = 0; r < rows; ++r) {
        V sum = hn::ConvertTo(d, sums[r]);
        if (has_zeros)
          sum = hn::NegMulAdd(zeros_at(panels, parameters), hn::Set(d, static_cast<float>(a.sums[block * rows + r])),
                              sum);
        total[r] = hn::MulAdd(hn::Mul(scale, hn::Set(d, a.scales[block * rows + r])), sum, total[r]);
      }
    }
    for (int r = 0; r < rows; ++r) hn::StoreU(total[r], d, y + r * ops::kGroupColumns + v * kLanes);
  }
}

template <int bits>
HWY_NOINLINE void multiply_group_codes(const ops::NBitsPanels& panels, int64_t group, const ops::NBitsRows& rows,
                                       float* y) {
  if (rows.count == 4) return multiply_code_rows<bits, 4>(panels, group, rows, y);
  if (rows.count == 3) return multiply_code_rows<bits, 3>(panels, group, rows, y);
  if (rows.count == 2) return multiply_code_rows<bits, 2>(panels, group, rows, y);
  multiply_code_rows<bits, 1>(panels, group, rows, y);
}
template <int bits>
HWY_INLINE void multiply_some_codes(const ops::NBitsPanels& panels, int64_t group, int64_t groups,
                                    const ops::NBitsRows& rows, float* y) {
  for (; groups > 0; --groups, group += rows.apart, y += rows.count * ops::kGroupColumns)
    multiply_group_codes<bits>(panels, group, rows, y);
}

template <int bits>
void fill_panel(const void* source, int64_t p, int64_t count, int64_t column, int64_t columns, float* panel) {
  const D d;
  const auto& panels = *static_cast<const ops::NBitsPanels*>(source);
  constexpr int64_t kRows = ops::word_rows(bits), kWords = 4 * ops::kGroupColumns;
  const int64_t blocks = panels.bits.blocks(), width = HWY_MAX_BYTES / 4 * 2;
  const bool has_zeros = panels.has_zeros();
  static_cast<void>(columns);  // beyond n, scales are 0
  for (int64_t c = 0; c < width; c += kLanes) {
    const int64_t group = (column + c) / ops::kGroupColumns, at = (column + c) % ops::kGroupColumns;
    const uint8_t* words = panels.group(group) + p / kRows * kWords;
    int64_t block = p / panels.bits.block;
    for (int64_t i = 0; i < count; ++block) {
      const int64_t parameters = (group * blocks + block) * ops::kGroupColumns + at;
      const V scale = hn::LoadU(d, panels.scales.data() + parameters);
      const V zero = has_zeros ? zeros_at(panels, parameters) : hn::Set(d, panels.middle);
      const int64_t last = HWY_MIN((block + 1) * panels.bits.block - p, count);
      for (; i < last; i += kRows, words += kWords)
        for_each_row<bits>(words, at, HWY_MIN(kRows, count - i), [&](int64_t row, V codes) HWY_ATTR {
          hn::StoreU(hn::Mul(hn::Sub(codes, zero), scale), d, panel + (i + row) * width + c);
        });
    }
  }
}

void multiply_2(const ops::NBitsPanels& p, int64_t g, int64_t groups, const ops::NBitsRows& rows, float* y) {
  multiply_groups<2>(p, g, groups, rows, y);
}
void multiply_codes_2(const ops::NBitsPanels& p, int64_t g, int64_t groups, const ops::NBitsRows& rows, float* y) {
  multiply_some_codes<2>(p, g, groups, rows, y);
}
void fill_2(const void* source, int64_t p, int64_t count, int64_t column, int64_t columns, float* panel) {
  fill_panel<2>(source, p, count, column, columns, panel);
}
void multiply_4(const ops::NBitsPanels& p, int64_t g, int64_t groups, const ops::NBitsRows& rows, float* y) {
  multiply_groups<4>(p, g, groups, rows, y);
}
void multiply_codes_4(const ops::NBitsPanels& p, int64_t g, int64_t groups, const ops::NBitsRows& rows, float* y) {
  multiply_some_codes<4>(p, g, groups, rows, y);
}
void fill_4(const void* source, int64_t p, int64_t count, int64_t column, int64_t columns, float* panel) {
  fill_panel<4>(source, p, count, column, columns, panel);
}
void multiply_8(const ops::NBitsPanels& p, int64_t g, int64_t groups, const ops::NBitsRows& rows, float* y) {
  multiply_groups<8>(p, g, groups, rows, y);
}
void multiply_codes_8(const ops::NBitsPanels& p, int64_t g, int64_t groups, const ops::NBitsRows& rows, float* y) {
  multiply_some_codes<8>(p, g, groups, rows, y);
}
void fill_8(const void* source, int64_t p, int64_t count, int64_t column, int64_t columns, float* panel) {
  fill_panel<8>(source, p, count, column, columns, panel);
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

NBitsKernels nbits_kernels(int64_t bits) {
  NBitsKernels made =
      bits == 2   ? NBitsKernels{SDX_DISPATCH(multiply_2), SDX_DISPATCH(multiply_codes_2), SDX_DISPATCH(fill_2)}
      : bits == 4 ? NBitsKernels{SDX_DISPATCH(multiply_4), SDX_DISPATCH(multiply_codes_4), SDX_DISPATCH(fill_4)}
                  : NBitsKernels{SDX_DISPATCH(multiply_8), SDX_DISPATCH(multiply_codes_8), SDX_DISPATCH(fill_8)};
#if defined(__x86_64__)
  if (supports(Isa::avx512)) {
    made.multiply = multiply_groups_avx512(bits);
    if (gemm_panel_width() == kGroupColumns) made.fill = fill_avx512(bits);
  }
  if (supports(Isa::avx512_vnni)) {
    use_avx512_vnni(bits, made);
  } else if (supports(Isa::avx2) && bits != 8) {
    made.multiply_codes = multiply_codes_avx2(bits);
  }
#endif
  return made;
}

}  // namespace sdx::ops
#endif
