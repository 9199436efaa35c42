#include "base/simd_targets.h"  // first

#include <cstring>

#include "ops/quant/integer_dot-inl.h"
#include "ops/quant/integer_gemm.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

constexpr hn::ScalableTag<int32_t> kI32;
constexpr hn::ScalableTag<int16_t> kI16;
using VectorI32 = hn::VFromD<hn::ScalableTag<int32_t>>;
using VectorI16 = hn::VFromD<hn::ScalableTag<int16_t>>;

template <bool a_signed, int kRows>
HWY_INLINE void panel_rows(const ops::IntegerBlock& block, int64_t row, int64_t panel) {
  constexpr int kVectors = 64 / HWY_MAX_BYTES;  // of 16 columns
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(kI32));
  VectorI32 sums[kRows][kVectors];
  for (int r = 0; r < kRows; ++r)
    for (int v = 0; v < kVectors; ++v)
      sums[r][v] = hn::Set(kI32, block.row_start != nullptr ? block.row_start[row + r] : 0);
  const uint8_t* HWY_RESTRICT a = ops::row_of(block, row);
  const uint8_t* HWY_RESTRICT b = block.b + panel * block.panel_stride;
  for (int64_t k = 0; k < block.steps; ++k, a += block.a_step, b += 4 * ops::kPanelColumns) {
    Halves<VectorI16> columns[kVectors];
    for (int v = 0; v < kVectors; ++v)
      columns[v] = widen<!a_signed>(kI16, hn::LoadU(kI16, reinterpret_cast<const int16_t*>(b + 4 * v * lanes)));
    for (int r = 0; r < kRows; ++r) {
      int32_t four;
      std::memcpy(&four, a + r * block.a_row, sizeof(four));
      const auto own = widen<a_signed>(kI16, hn::BitCast(kI16, hn::Set(kI32, four)));
      for (int v = 0; v < kVectors; ++v) sums[r][v] = dot(kI32, own, columns[v], sums[r][v]);
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    const int64_t column = panel * ops::kPanelColumns + v * lanes;
    const auto start = block.column_start != nullptr ? hn::LoadU(kI32, block.column_start + column) : hn::Zero(kI32);
    for (int r = 0; r < kRows; ++r) {
      VectorI32 sum = hn::Add(sums[r][v], start);
      if (block.row_factor != nullptr)
        sum = hn::Sub(sum,
                      hn::Mul(hn::Set(kI32, block.row_factor[row + r]), hn::LoadU(kI32, block.column_factor + column)));
      hn::StoreU(sum, kI32, block.c + (row + r) * block.c_row + column);
    }
  }
}

template <bool a_signed>
HWY_INLINE void multiply_panels(const ops::IntegerBlock& block) {
  // Rows that lie together in eights must stay together.
  constexpr int kRows = HWY_MAX_BYTES == 64 ? 8 : HWY_MAX_BYTES == 32 ? 4 : 2;
  for (int64_t panel = 0; panel < block.panels; ++panel) {
    int64_t row = 0;
    for (; row + kRows <= block.rows; row += kRows) panel_rows<a_signed, kRows>(block, row, panel);
    if constexpr (kRows > 4)
      if (row + 4 <= block.rows) panel_rows<a_signed, 4>(block, row, panel), row += 4;
    if constexpr (kRows > 2)
      if (row + 2 <= block.rows) panel_rows<a_signed, 2>(block, row, panel), row += 2;
    for (; row < block.rows; ++row) panel_rows<a_signed, 1>(block, row, panel);
  }
}
void multiply_signed_a(const ops::IntegerBlock& block) { multiply_panels<true>(block); }
void multiply_signed_b(const ops::IntegerBlock& block) { multiply_panels<false>(block); }

void sum_row(const uint8_t* a, uint8_t turned, int64_t k, int32_t* sum) {
  const hn::ScalableTag<uint8_t> d8;
  const hn::ScalableTag<uint64_t> d64;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d8));
  const auto flips = hn::Set(d8, turned);
  auto sums = hn::Zero(d64);
  int64_t i = 0;
  for (; i + lanes <= k; i += lanes) sums = hn::Add(sums, hn::SumsOf8(hn::Xor(hn::LoadU(d8, a + i), flips)));
  uint64_t total = hn::GetLane(hn::SumOfLanes(d64, sums));
  for (; i < k; ++i) total += static_cast<uint8_t>(a[i] ^ turned);
  *sum = static_cast<int32_t>(static_cast<uint32_t>(total));
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

void scale_sums(const int32_t* c, const float* scales, int step, const float* bias, float* y, size_t count) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const auto one = hn::Set(d, scales[0]);
  for (size_t i = 0; i < count; i += lanes) {
    const size_t n = HWY_MIN(lanes, count - i);
    const auto sum = hn::ConvertTo(d, load_n(kI32, c + i, n));
    const auto scale = step == 0 ? one : load_n(d, scales + i, n);
    store_n(bias == nullptr ? hn::Mul(sum, scale) : hn::MulAdd(sum, scale, load_n(d, bias + i, n)), d, y + i, n);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

MultiplyBlock multiply_block(Signed which) {
#if defined(__x86_64__)
  if (supports(Isa::avx512_vnni)) return multiply_block_avx512_vnni(which);
  if (supports(Isa::avx2_vnni)) return multiply_block_avx2_vnni(which);
#endif
  return which == Signed::a ? SDX_DISPATCH(multiply_signed_a) : SDX_DISPATCH(multiply_signed_b);
}
RequantizeKernel requantize_kernel() { return SDX_DISPATCH(requantize); }
ScaleSums scale_sums_kernel() { return SDX_DISPATCH(scale_sums); }

void sum_rows(const uint8_t* a, uint8_t turned, int64_t row_stride, int64_t rows, int64_t k, int32_t* sums) {
  const auto kernel = SDX_DISPATCH(sum_row);
  for (int64_t row = 0; row < rows; ++row) kernel(a + row * row_stride, turned, k, sums + row);
}

}  // namespace sdx::ops
#endif
