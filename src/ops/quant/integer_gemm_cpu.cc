#include "base/simd_targets.h"
#include "base/stop_point.h"
#include "kernel/simd.h"
#include "ops/quant/integer_gemm.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

constexpr hn::ScalableTag<int32_t> kI32;
constexpr hn::ScalableTag<int16_t> kI16;
using VectorI32 = hn::VFromD<hn::ScalableTag<int32_t>>;
using VectorI16 = hn::VFromD<hn::ScalableTag<int16_t>>;

// a pair (k, k + 1) of a's row in every 32-bit lane, times the pairs of b.
HWY_INLINE VectorI32 multiply_add_pairs(VectorI16 a, VectorI16 b, VectorI32 sum) {
#if HWY_ARCH_X86
  VectorI32 unused = hn::Zero(kI32);
  return hn::ReorderWidenMulAccumulate(kI32, a, b, sum, unused);
#else
  const auto a32 = hn::BitCast(kI32, a), b32 = hn::BitCast(kI32, b);
  const auto low = [](VectorI32 v) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(v)); };
  const auto high = [](VectorI32 v) { return hn::ShiftRight<16>(v); };
  return hn::Add(sum, hn::Add(hn::Mul(low(a32), low(b32)), hn::Mul(high(a32), high(b32))));
#endif
}

template <int kRows>
HWY_INLINE void panel_rows(const int16_t* HWY_RESTRICT a, int64_t depth, const int8_t* HWY_RESTRICT panel,
                           const int32_t* row_sums, const int32_t* b_zeros, int32_t* HWY_RESTRICT c, int64_t c_stride,
                           int64_t columns) {
  constexpr int kVectors = 64 / HWY_MAX_BYTES;  // of 16 columns
  const hn::Rebind<int8_t, hn::ScalableTag<int16_t>> d8;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(kI32));
  VectorI32 sums[kRows][kVectors];
  for (int r = 0; r < kRows; ++r)
    for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::Zero(kI32);
  for (int64_t k = 0; k < depth; k += 2) {
    VectorI16 b[kVectors];
    for (int v = 0; v < kVectors; ++v) b[v] = hn::PromoteTo(kI16, hn::LoadU(d8, panel + k * 16 + v * 2 * lanes));
    for (int r = 0; r < kRows; ++r) {
      int32_t pair;
      std::memcpy(&pair, a + r * depth + k, sizeof(pair));
      const VectorI16 pairs = hn::BitCast(kI16, hn::Set(kI32, pair));
      for (int v = 0; v < kVectors; ++v) sums[r][v] = multiply_add_pairs(pairs, b[v], sums[r][v]);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      VectorI32 sum = sums[r][v];
      if (b_zeros != nullptr)
        sum = hn::Sub(sum, hn::Mul(hn::Set(kI32, row_sums[r]), hn::LoadU(kI32, b_zeros + v * lanes)));
      const int64_t left = columns - v * lanes;
      if (left > 0) store_n(sum, kI32, c + r * c_stride + v * lanes, static_cast<size_t>(left));
    }
  }
}

void panel_product(const int16_t* a, int64_t depth, int64_t rows, const int8_t* panel, const int32_t* row_sums,
                   const int32_t* b_zeros, int32_t* c, int64_t c_stride, int64_t columns) {
  constexpr int kRows = HWY_MAX_BYTES == 64 ? 8 : HWY_MAX_BYTES == 32 ? 6 : 2;
  int64_t row = 0;
  const auto go = [&](auto count) HWY_ATTR {
    constexpr int kCount = decltype(count)::value;
    for (; row + kCount <= rows; row += kCount)
      panel_rows<kCount>(a + row * depth, depth, panel, row_sums + row, b_zeros, c + row * c_stride, c_stride, columns);
  };
  go(std::integral_constant<int, kRows>());
  if constexpr (kRows > 4) go(std::integral_constant<int, 4>());
  if constexpr (kRows > 2) go(std::integral_constant<int, 2>());
  go(std::integral_constant<int, 1>());
}

void widen_row(const uint8_t* a, bool is_signed, int64_t k, int32_t zero, int16_t* wide, int32_t* sum) {
  const hn::Rebind<uint8_t, hn::ScalableTag<int16_t>> d8;
  const hn::Rebind<int8_t, hn::ScalableTag<int16_t>> ds8;
  const size_t lanes = hn::Lanes(kI16);
  const auto zeros = hn::Set(kI16, static_cast<int16_t>(zero)), ones = hn::Set(kI16, 1);
  auto total = hn::Zero(kI32);
  const auto count = static_cast<size_t>(k);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto bytes = hn::LoadU(d8, a + i);
    const auto v =
        hn::Sub(is_signed ? hn::PromoteTo(kI16, hn::BitCast(ds8, bytes)) : hn::PromoteTo(kI16, bytes), zeros);
    hn::StoreU(v, kI16, wide + i);
    total = multiply_add_pairs(v, ones, total);
  }
  int32_t rest = 0;
  for (; i < count; ++i) {
    wide[i] = static_cast<int16_t>((is_signed ? static_cast<int8_t>(a[i]) : a[i]) - zero);
    rest += wide[i];
  }
  if (count % 2 != 0) wide[count] = 0;
  *sum = rest + static_cast<int32_t>(hn::GetLane(hn::SumOfLanes(kI32, total)));
}

void requantize(const int32_t* c, int32_t bias, const float* multipliers, int step, const ops::Requantization& to,
                uint8_t* y, size_t count) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<uint8_t, hn::ScalableTag<float>> du8;
  const hn::Rebind<int8_t, hn::ScalableTag<float>> di8;
  const size_t lanes = hn::Lanes(d);
  const auto low = hn::Set(d, static_cast<float>((to.is_signed ? -128 : 0) - to.zero));
  const auto high = hn::Set(d, static_cast<float>((to.is_signed ? 127 : 255) - to.zero));
  const auto zero = hn::Set(kI32, to.zero), biases = hn::Set(kI32, bias);
  const auto one = hn::Set(d, multipliers[0]);
  for (size_t i = 0; i < count; i += lanes) {
    const size_t n = HWY_MIN(lanes, count - i);
    const auto sum = hn::ConvertTo(d, hn::Add(load_n(kI32, c + i, n), biases));
    const auto scaled = hn::Mul(sum, step == 0 ? one : load_n(d, multipliers + i, n));
    const auto whole = hn::Add(hn::NearestInt(hn::Min(hn::Max(scaled, low), high)), zero);
    const auto bytes = to.is_signed ? hn::BitCast(du8, hn::DemoteTo(di8, whole)) : hn::DemoteTo(du8, whole);
    if (n == lanes) {
      hn::StoreU(bytes, du8, y + i);
    } else {
      HWY_ALIGN uint8_t buffer[HWY_MAX_BYTES];
      hn::StoreU(bytes, du8, buffer);
      std::memcpy(y + i, buffer, n);
    }
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

PanelKernel panel_kernel() { return SDX_DISPATCH(panel_product); }
RequantizeKernel requantize_kernel() { return SDX_DISPATCH(requantize); }

void pack_panels(const Matrix8& b, int64_t k, int64_t n, int8_t* panels) {
  const uint8_t flip = b.is_signed ? 0 : 0x80;  // less 128, modulo 256
  for (int64_t first = 0; first < n; first += kPanelColumns) {
    const int64_t columns = std::min(kPanelColumns, n - first);
    int8_t* panel = panels + first / kPanelColumns * panel_bytes(k);
    std::memset(panel, 0, static_cast<size_t>(panel_bytes(k)));
    for (int64_t row = 0; row < k; ++row) {
      stop_point(columns);
      const uint8_t* from = b.data + row * b.row_stride + first * b.column_stride;
      int8_t* to = panel + row / 2 * 2 * kPanelColumns + row % 2;
      for (int64_t j = 0; j < columns; ++j) to[2 * j] = static_cast<int8_t>(from[j * b.column_stride] ^ flip);
    }
  }
}

void widen_rows(const Matrix8& a, int64_t rows, int64_t k, const int32_t* zeros, int zero_step, int16_t* wide,
                int32_t* sums) {
  const auto kernel = SDX_DISPATCH(widen_row);
  if (a.column_stride == 1) {
    for (int64_t row = 0; row < rows; ++row)
      kernel(a.data + row * a.row_stride, a.is_signed, k, zeros[row * zero_step], wide + row * even_depth(k),
             sums + row);
    return;
  }
  std::vector<uint8_t> line(static_cast<size_t>(k));
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < k; ++i) line[static_cast<size_t>(i)] = a.data[row * a.row_stride + i * a.column_stride];
    kernel(line.data(), a.is_signed, k, zeros[row * zero_step], wide + row * even_depth(k), sums + row);
  }
}

Status multiply(KernelContext& ctx, const IntegerProduct& product, BlockDone done) {
  constexpr int64_t kRows = 48, kColumns = 4 * kPanelColumns;
  if (product.rows == 0 || product.columns == 0) return {};
  const int64_t row_blocks = (product.rows + kRows - 1) / kRows;
  const int64_t column_blocks = (product.columns + kColumns - 1) / kColumns;
  const auto kernel = panel_kernel();
  const int64_t depth = even_depth(product.k);
  const int64_t cost = std::min(kRows, product.rows) * depth * kColumns;
  const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 19) / std::max<int64_t>(cost, 1));
  return parallel_ranges(ctx, row_blocks * column_blocks, grain, [&](int64_t begin, int64_t end) {
    alignas(64) int32_t c[kRows * kColumns];
    for (int64_t block = begin; block < end; ++block) {
      const int64_t row = block % row_blocks * kRows, rows = std::min(kRows, product.rows - row);
      const int64_t first = block / row_blocks * kColumns, columns = std::min(kColumns, product.columns - first);
      for (int64_t j = 0; j < columns; j += kPanelColumns) {
        kernel(product.a + row * depth, depth, rows,
               product.panels + (first + j) / kPanelColumns * panel_bytes(product.k), product.row_sums + row,
               product.b_zeros == nullptr ? nullptr : product.b_zeros + first + j, c + j, kColumns,
               std::min(kPanelColumns, columns - j));
      }
      done(row, rows, first, columns, c, kColumns);
    }
  });
}

}  // namespace sdx::ops
#endif
