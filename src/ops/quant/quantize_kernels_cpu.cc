#include "base/simd_targets.h"
#include "kernel/simd.h"
#include "ops/quant/quantize_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

constexpr hn::ScalableTag<float> kF32;
constexpr hn::ScalableTag<int32_t> kI32;
constexpr hn::Rebind<uint8_t, hn::ScalableTag<float>> kU8;
constexpr hn::Rebind<int8_t, hn::ScalableTag<float>> kI8;

void quantize_row(const float* x, const ops::RowScales& by, int is_signed, uint8_t* y, size_t count) {
  const size_t lanes = hn::Lanes(kF32);
  const auto one_scale = hn::Set(kF32, by.scales[0]);
  const auto one_zero = hn::Set(kI32, by.zeros[0]);
  const auto lowest = hn::Set(kI32, is_signed ? -128 : 0), highest = hn::Set(kI32, is_signed ? 127 : 255);
  for (size_t i = 0; i < count; i += lanes) {
    const size_t n = HWY_MIN(lanes, count - i);
    const auto scale = by.step == 0 ? one_scale : load_n(kF32, by.scales + i, n);
    const auto zero = by.step == 0 ? one_zero : load_n(kI32, by.zeros + i, n);
    const auto low = hn::ConvertTo(kF32, hn::Sub(lowest, zero)), high = hn::ConvertTo(kF32, hn::Sub(highest, zero));
    const auto quotient = hn::Div(load_n(kF32, x + i, n), scale);
    // The bounds are whole, so clamping may come before rounding. Max with NaN gives its second operand on x86 only.
    const auto bounded = hn::IfThenElse(hn::IsNaN(quotient), low, hn::Min(hn::Max(quotient, low), high));
    const auto whole = hn::Add(hn::NearestInt(bounded), zero);
    const auto bytes = is_signed ? hn::BitCast(kU8, hn::DemoteTo(kI8, whole)) : hn::DemoteTo(kU8, whole);
    if (n == lanes) {
      hn::StoreU(bytes, kU8, y + i);
    } else {
      HWY_ALIGN uint8_t buffer[HWY_MAX_BYTES];
      hn::StoreU(bytes, kU8, buffer);
      std::memcpy(y + i, buffer, n);
    }
  }
}

void dequantize_row(const uint8_t* x, const ops::RowScales& by, int is_signed, float* y, size_t count) {
  const size_t lanes = hn::Lanes(kF32);
  const auto one_scale = hn::Set(kF32, by.scales[0]);
  const auto one_zero = hn::Set(kI32, by.zeros[0]);
  for (size_t i = 0; i < count; i += lanes) {
    const size_t n = HWY_MIN(lanes, count - i);
    HWY_ALIGN uint8_t buffer[HWY_MAX_BYTES] = {};
    if (n < lanes) std::memcpy(buffer, x + i, n);
    const auto bytes = hn::LoadU(kU8, n == lanes ? x + i : buffer);
    const auto scale = by.step == 0 ? one_scale : load_n(kF32, by.scales + i, n);
    const auto zero = by.step == 0 ? one_zero : load_n(kI32, by.zeros + i, n);
    const auto whole = is_signed ? hn::PromoteTo(kI32, hn::BitCast(kI8, bytes)) : hn::PromoteTo(kI32, bytes);
    store_n(hn::Mul(hn::ConvertTo(kF32, hn::Sub(whole, zero)), scale), kF32, y + i, n);
  }
}

void range_of(const float* x, size_t count, float* low, float* high) {
  const size_t lanes = hn::Lanes(kF32);
  auto lows = hn::Set(kF32, *low), highs = hn::Set(kF32, *high);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto v = hn::LoadU(kF32, x + i);
    lows = hn::IfThenElse(hn::Lt(v, lows), v, lows);  // NaN compares false
    highs = hn::IfThenElse(hn::Gt(v, highs), v, highs);
  }
  *low = hn::GetLane(hn::MinOfLanes(kF32, lows));
  *high = hn::GetLane(hn::MaxOfLanes(kF32, highs));
  for (; i < count; ++i) {
    if (x[i] < *low) *low = x[i];
    if (x[i] > *high) *high = x[i];
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

QuantizeRow quantize_row_kernel() { return SDX_DISPATCH(quantize_row); }
DequantizeRow dequantize_row_kernel() { return SDX_DISPATCH(dequantize_row); }
RangeOf range_kernel() { return SDX_DISPATCH(range_of); }

}  // namespace sdx::ops
#endif
