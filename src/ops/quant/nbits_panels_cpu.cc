#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/linalg/gemm.h"
#include "ops/quant/nbits_panels.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;
constexpr int64_t kVectors = ops::kGroupColumns / static_cast<int64_t>(hn::MaxLanes(D()));

// Columns [at, at + lanes) of a group's row.
template <int bits>
HWY_INLINE V codes_of(const uint8_t* row, int64_t at) {
  const D d;
  const hn::Rebind<uint8_t, D> d8;
  const hn::Rebind<int32_t, D> d32;
  auto bytes = hn::LoadU(d8, row + (bits == 8 ? at : at % 16));
  if constexpr (bits == 4) bytes = at < 16 ? hn::And(bytes, hn::Set(d8, uint8_t{15})) : hn::ShiftRight<4>(bytes);
  return hn::ConvertTo(d, hn::PromoteTo(d32, bytes));
}

template <int bits, int rows>
HWY_INLINE void multiply_rows(const ops::NBitsPanels& panels, int64_t group, const float* a, const float* a_scales,
                              float* y) {
  const D d;
  constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(D()));
  const int64_t k = panels.bits.k, blocks = panels.bits.blocks(), bytes = panels.row_bytes();
  for (int64_t v = 0; v < kVectors; v += 2) {  // two vectors of columns at a time
    V total[rows][2];
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < 2; ++j) total[r][j] = hn::LoadU(d, y + r * ops::kGroupColumns + (v + j) * kLanes);
    const uint8_t* row = panels.group(group);
    for (int64_t block = 0; block < blocks; ++block) {
      const float* scales = panels.scales.data() + (group * blocks + block) * ops::kGroupColumns + v * kLanes;
      const float* zeros = panels.zeros.data() + (group * blocks + block) * ops::kGroupColumns + v * kLanes;
      const V zero[2] = {hn::LoadU(d, zeros), hn::LoadU(d, zeros + kLanes)};
      V even[rows][2], odd[rows][2];
      for (int r = 0; r < rows; ++r)
        for (int j = 0; j < 2; ++j) even[r][j] = odd[r][j] = hn::Zero(d);
      const int64_t first = block * panels.bits.block, last = HWY_MIN(first + panels.bits.block, k);
      const auto step = [&](int64_t p, V(&sums)[rows][2]) HWY_ATTR {
        for (int j = 0; j < 2; ++j) {
          const V code = hn::Sub(codes_of<bits>(row, (v + j) * kLanes), zero[j]);
          for (int r = 0; r < rows; ++r) sums[r][j] = hn::MulAdd(hn::Set(d, a[r * k + p]), code, sums[r][j]);
        }
        row += bytes;
      };
      int64_t p = first;
      for (; p + 2 <= last; p += 2) {
        step(p, even);
        step(p + 1, odd);
      }
      if (p < last) step(p, even);
      for (int r = 0; r < rows; ++r) {
        const V a_scale = hn::Set(d, a_scales[r * blocks + block]);
        for (int j = 0; j < 2; ++j) {
          const V scale = hn::Mul(hn::LoadU(d, scales + j * kLanes), a_scale);
          total[r][j] = hn::MulAdd(scale, hn::Add(even[r][j], odd[r][j]), total[r][j]);
        }
      }
    }
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < 2; ++j) hn::StoreU(total[r][j], d, y + r * ops::kGroupColumns + (v + j) * kLanes);
  }
}

template <int bits>
void multiply_group(const ops::NBitsPanels& panels, int64_t group, int rows, const float* a, const float* a_scales,
                    float* y) {
  if (rows == 2) return multiply_rows<bits, 2>(panels, group, a, a_scales, y);
  multiply_rows<bits, 1>(panels, group, a, a_scales, y);
}

template <int bits>
void fill_panel(const void* source, int64_t p, int64_t count, int64_t column, int64_t columns, float* panel) {
  const D d;
  constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(D()));
  const auto& panels = *static_cast<const ops::NBitsPanels*>(source);
  const int64_t blocks = panels.bits.blocks(), width = HWY_MAX_BYTES / 4 * 2, bytes = panels.row_bytes();
  static_cast<void>(columns);  // beyond n, scales are 0
  for (int64_t c = 0; c < width; c += kLanes) {
    const int64_t group = (column + c) / ops::kGroupColumns, at = (column + c) % ops::kGroupColumns;
    const uint8_t* row = panels.group(group) + p * bytes;
    for (int64_t i = 0; i < count;) {
      const int64_t block = (p + i) / panels.bits.block, end = HWY_MIN((block + 1) * panels.bits.block - p, count);
      const int64_t parameters = (group * blocks + block) * ops::kGroupColumns + at;
      const V scale = hn::LoadU(d, panels.scales.data() + parameters);
      const V zero = hn::LoadU(d, panels.zeros.data() + parameters);
      for (; i < end; ++i, row += bytes)
        hn::StoreU(hn::Mul(hn::Sub(codes_of<bits>(row, at), zero), scale), d, panel + i * width + c);
    }
  }
}

void multiply_4(const ops::NBitsPanels& p, int64_t g, int rows, const float* a, const float* scales, float* y) {
  multiply_group<4>(p, g, rows, a, scales, y);
}
void multiply_8(const ops::NBitsPanels& p, int64_t g, int rows, const float* a, const float* scales, float* y) {
  multiply_group<8>(p, g, rows, a, scales, y);
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
  if (bits == 4) return {SDX_DISPATCH(multiply_4), SDX_DISPATCH(fill_4)};
  return {SDX_DISPATCH(multiply_8), SDX_DISPATCH(fill_8)};
}

}  // namespace sdx::ops
#endif
