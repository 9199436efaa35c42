#include "base/simd_targets.h"  // first

#include <cstring>

#include "kernel/simd.h"
#include "ops/linalg/gemm.h"
#include "ops/quant/nbits_panels.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;
constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(D()));
constexpr int64_t kVectors = ops::kGroupColumns / kLanes;

// Calls f(row, codes of columns [at, at + lanes)) for `count` rows from one octet on.
template <int bits, typename F>
HWY_INLINE void for_each_row(const uint8_t* octet, int64_t at, int64_t count, F f) {
  const D d;
  const hn::Rebind<int32_t, D> d32;
  if constexpr (bits == 8) {
    const hn::Rebind<uint8_t, D> d8;
    for (int64_t i = 0; i < count; ++i)
      f(i, hn::ConvertTo(d, hn::PromoteTo(d32, hn::LoadU(d8, octet + i * ops::kGroupColumns + at))));
  } else {
    const hn::RebindToUnsigned<D> du;
    const auto words = hn::LoadU(du, reinterpret_cast<const uint32_t*>(octet) + at);
    const auto low = hn::Set(du, 15u);
    const auto row = [&](auto i) HWY_ATTR {
      constexpr int kRow = decltype(i)::value;
      if (kRow < count)
        f(kRow, hn::ConvertTo(d, hn::BitCast(d32, hn::And(hn::ShiftRight<ops::octet_shift(kRow)>(words), low))));
    };
    row(std::integral_constant<int, 0>());
    row(std::integral_constant<int, 1>());
    row(std::integral_constant<int, 2>());
    row(std::integral_constant<int, 3>());
    row(std::integral_constant<int, 4>());
    row(std::integral_constant<int, 5>());
    row(std::integral_constant<int, 6>());
    row(std::integral_constant<int, 7>());
  }
}

template <int bits, int rows>
HWY_INLINE void multiply_rows(const ops::NBitsPanels& panels, int64_t group, const ops::NBitsRows& a, float* y) {
  constexpr int64_t kTogether = HWY_MIN(kVectors, 4 / rows);  // sums that need not wait for each other
  const D d;
  const int64_t k = panels.bits.k, blocks = panels.bits.blocks(), depth = panels.depth();
  const int64_t octet_bytes = ops::kOctet * panels.row_bytes();
  for (int64_t v = 0; v < kVectors; v += kTogether) {
    V total[kTogether][rows];
    for (int w = 0; w < kTogether; ++w)
      for (int r = 0; r < rows; ++r) total[w][r] = hn::LoadU(d, y + r * ops::kGroupColumns + (v + w) * kLanes);
    const uint8_t* octet = panels.group(group);
    for (int64_t block = 0; block < blocks; ++block) {
      const int64_t first = block * panels.bits.block, last = HWY_MIN(first + panels.bits.block, k);
      for (int64_t p = first; p < last; p += ops::kOctet, octet += octet_bytes) {
        for (int w = 0; w < kTogether; ++w) {
          const int64_t parameters = (group * blocks + block) * ops::kGroupColumns + (v + w) * kLanes;
          const V scale = hn::LoadU(d, panels.scales.data() + parameters);
          const V zero = hn::LoadU(d, panels.zeros.data() + parameters);
          for_each_row<bits>(octet, (v + w) * kLanes, HWY_MIN(ops::kOctet, last - p), [&](int64_t i, V codes) HWY_ATTR {
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
void multiply_group(const ops::NBitsPanels& panels, int64_t group, const ops::NBitsRows& rows, float* y) {
  if (rows.count == 2) return multiply_rows<bits, 2>(panels, group, rows, y);
  multiply_rows<bits, 1>(panels, group, rows, y);
}

// sum + a[0] * b[0] + a[1] * b[1] of each pair of neighbours.
template <class D32, class V16, class V32>
HWY_INLINE V32 add_pairs(D32 d32, V16 a, V16 b, V32 sum) {
#if HWY_ARCH_X86
  auto unused = hn::Zero(d32);
  return hn::ReorderWidenMulAccumulate(d32, a, b, sum, unused);
#else
  const auto low = [&](auto v) HWY_ATTR { return hn::ShiftRight<16>(hn::ShiftLeft<16>(hn::BitCast(d32, v))); };
  const auto high = [&](auto v) HWY_ATTR { return hn::ShiftRight<16>(hn::BitCast(d32, v)); };
  return hn::Add(sum, hn::Add(hn::Mul(low(a), low(b)), hn::Mul(high(a), high(b))));
#endif
}

// Rows of integers times 4-bit codes: sums of pairs in 32 bits.
template <int rows>
HWY_INLINE void multiply_code_rows(const ops::NBitsPanels& panels, int64_t group, const ops::NBitsRows& a, float* y) {
  const D d;
  const hn::Rebind<int32_t, D> d32;
  const hn::Repartition<int16_t, decltype(d32)> d16;
  const hn::RebindToUnsigned<decltype(d16)> du16;
  const auto low = hn::Set(du16, uint16_t{15});
  const int64_t blocks = panels.bits.blocks(), depth = panels.depth();
  for (int64_t v = 0; v < kVectors; ++v) {
    V total[rows];
    for (int r = 0; r < rows; ++r) total[r] = hn::LoadU(d, y + r * ops::kGroupColumns + v * kLanes);
    const auto* octet = reinterpret_cast<const uint16_t*>(panels.group(group)) + v * kLanes * 2;
    for (int64_t block = 0; block < blocks; ++block) {
      const int64_t parameters = (group * blocks + block) * ops::kGroupColumns + v * kLanes;
      hn::Vec<decltype(d32)> even[rows], odd[rows];
      for (int r = 0; r < rows; ++r) even[r] = odd[r] = hn::Zero(d32);
      const int64_t first = block * panels.bits.block, last = HWY_MIN(first + panels.bits.block, depth);
      for (int64_t p = first; p < last; p += ops::kOctet, octet += 2 * ops::kGroupColumns) {
        const auto words = hn::LoadU(du16, octet);
        const auto pair = [&](int64_t at, auto codes, auto* sums) HWY_ATTR {
          for (int r = 0; r < rows; ++r) {
            int32_t both;
            std::memcpy(&both, a.codes + r * depth + p + at, sizeof(both));
            sums[r] = add_pairs(d32, hn::BitCast(d16, hn::Set(d32, both)), hn::BitCast(d16, codes), sums[r]);
          }
        };
        pair(0, hn::And(words, low), even);
        pair(2, hn::And(hn::ShiftRight<4>(words), low), odd);
        pair(4, hn::And(hn::ShiftRight<8>(words), low), even);
        pair(6, hn::ShiftRight<12>(words), odd);
      }
      const V scale = hn::LoadU(d, panels.scales.data() + parameters);
      const V zero = hn::LoadU(d, panels.zeros.data() + parameters);
      for (int r = 0; r < rows; ++r) {
        const V sum =
            hn::NegMulAdd(zero, hn::Set(d, a.sums[r * blocks + block]), hn::ConvertTo(d, hn::Add(even[r], odd[r])));
        total[r] = hn::MulAdd(hn::Mul(scale, hn::Set(d, a.scales[r * blocks + block])), sum, total[r]);
      }
    }
    for (int r = 0; r < rows; ++r) hn::StoreU(total[r], d, y + r * ops::kGroupColumns + v * kLanes);
  }
}

void multiply_codes(const ops::NBitsPanels& panels, int64_t group, const ops::NBitsRows& rows, float* y) {
  if (rows.count == 2) return multiply_code_rows<2>(panels, group, rows, y);
  multiply_code_rows<1>(panels, group, rows, y);
}

template <int bits>
void fill_panel(const void* source, int64_t p, int64_t count, int64_t column, int64_t columns, float* panel) {
  const D d;
  const auto& panels = *static_cast<const ops::NBitsPanels*>(source);
  const int64_t blocks = panels.bits.blocks(), width = HWY_MAX_BYTES / 4 * 2, bytes = panels.row_bytes();
  static_cast<void>(columns);  // beyond n, scales are 0
  for (int64_t c = 0; c < width; c += kLanes) {
    const int64_t group = (column + c) / ops::kGroupColumns, at = (column + c) % ops::kGroupColumns;
    const uint8_t* octet = panels.group(group) + p * bytes;
    for (int64_t i = 0; i < count; i += ops::kOctet, octet += ops::kOctet * bytes) {
      const int64_t parameters = (group * blocks + (p + i) / panels.bits.block) * ops::kGroupColumns + at;
      const V scale = hn::LoadU(d, panels.scales.data() + parameters);
      const V zero = hn::LoadU(d, panels.zeros.data() + parameters);
      for_each_row<bits>(octet, at, HWY_MIN(ops::kOctet, count - i), [&](int64_t row, V codes) HWY_ATTR {
        hn::StoreU(hn::Mul(hn::Sub(codes, zero), scale), d, panel + (i + row) * width + c);
      });
    }
  }
}

void multiply_4(const ops::NBitsPanels& p, int64_t g, const ops::NBitsRows& rows, float* y) {
  multiply_group<4>(p, g, rows, y);
}
void multiply_8(const ops::NBitsPanels& p, int64_t g, const ops::NBitsRows& rows, float* y) {
  multiply_group<8>(p, g, rows, y);
}
void fill_4(const void* source, int64_t p, int64_t count, int64_t column, int64_t columns, float* panel) {
  fill_panel<4>(source, p, count, column, columns, panel);
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
  if (bits == 4) return {SDX_DISPATCH(multiply_4), SDX_DISPATCH(multiply_codes), SDX_DISPATCH(fill_4)};
  return {SDX_DISPATCH(multiply_8), nullptr, SDX_DISPATCH(fill_8)};
}

}  // namespace sdx::ops
#endif
