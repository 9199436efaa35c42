#include "base/simd_targets.h"
#include "kernel/clamp-inl.h"
#include "ops/quant/quantize_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

constexpr hn::ScalableTag<float> kF32;
constexpr hn::ScalableTag<int32_t> kI32;
constexpr hn::ScalableTag<uint32_t> kU32;
using VF = hn::Vec<hn::ScalableTag<float>>;
using VI = hn::Vec<hn::ScalableTag<int32_t>>;

// Scale and zero point of some elements, and the quotients that the codes allow. The bounds are whole, so clamping may
// come before rounding.
struct Rule {
  VF scale, low, high;
  VI zero;
};
HWY_INLINE Rule rule_of(VF scale, VI zero, const ops::CodeRange& codes) {
  return {scale, hn::ConvertTo(kF32, hn::Sub(hn::Set(kI32, codes.low), zero)),
          hn::ConvertTo(kF32, hn::Sub(hn::Set(kI32, codes.high), zero)), zero};
}

// NaN becomes the lowest.
HWY_INLINE VF bounded(VF quotient, VF low, VF high) {
#if HWY_ARCH_X86  // Max has its second operand where the two are not ordered
  return hn::Min(hn::Max(quotient, low), high);
#else
  return hn::IfThenElse(hn::IsNaN(quotient), low, hn::Min(hn::Max(quotient, low), high));
#endif
}

template <typename Code>
HWY_INLINE void store_codes(VI whole, Code* y, size_t count) {
  const hn::Rebind<Code, hn::ScalableTag<float>> d;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3  // one instruction
  if constexpr (sizeof(Code) == 1) {
    store_n(hn::Vec128<uint8_t>{_mm512_cvtepi32_epi8(whole.raw)}, d, y, count);
  } else {
    store_n(hn::Vec256<uint16_t>{_mm512_cvtepi32_epi16(whole.raw)}, d, y, count);
  }
#else
  store_n(hn::TruncateTo(d, hn::BitCast(kU32, whole)), d, y, count);
#endif
}

template <typename Code>
HWY_INLINE void divide(const float* x, const Rule& by, Code* y, size_t count) {
  const auto quotient = hn::Div(load_n(kF32, x, count), by.scale);
  store_codes(hn::Add(hn::NearestInt(bounded(quotient, by.low, by.high)), by.zero), y, count);
}

// Some vectors by the reciprocal of the scale. A product lies within some units in the last place of the quotient, so
// it is rounded as that is, but near the middles between whole numbers: there all is divided.
constexpr size_t kVectors = 4;
HWY_INLINE void multiply_some(const float* x, const Rule& by, VF inverse, uint8_t* y) {
  const size_t lanes = hn::Lanes(kF32);
  // Added to so large a number, a float is rounded to an integer, which its last bits hold.
  const auto large = hn::Set(kF32, 12582912.0f), safe = hn::Set(kF32, 0.4998f);
  const auto product = [&](size_t k) HWY_ATTR {
    return bounded(hn::Mul(hn::LoadU(kF32, x + k * lanes), inverse), by.low, by.high);
  };
  const auto off = [&](VF p, VF s) HWY_ATTR { return hn::Abs(hn::Sub(p, hn::Sub(s, large))); };
  const auto store = [&](VF s, size_t k)
                         HWY_ATTR { store_codes(hn::Add(hn::BitCast(kI32, s), by.zero), y + k * lanes, lanes); };
  const auto p0 = product(0), p1 = product(1);
  const auto s0 = hn::Add(p0, large), s1 = hn::Add(p1, large);
  const auto p2 = product(2), p3 = product(3);
  const auto s2 = hn::Add(p2, large), s3 = hn::Add(p3, large);
  const auto farthest = hn::Max(hn::Max(off(p0, s0), off(p1, s1)), hn::Max(off(p2, s2), off(p3, s3)));
  if (HWY_UNLIKELY(!hn::AllTrue(kF32, hn::Lt(farthest, safe)))) {
    for (size_t k = 0; k < kVectors; ++k) divide(x + k * lanes, by, y + k * lanes, lanes);
    return;
  }
  store(s0, 0);
  store(s1, 1);
  store(s2, 2);
  store(s3, 3);
}

HWY_INLINE void multiply_all(const float* x, float scale, const Rule& by, uint8_t* y, size_t count) {
  const size_t lanes = hn::Lanes(kF32);
  const auto inverse = hn::Set(kF32, 1.0f / scale);
  size_t i = 0;
  for (; i + kVectors * lanes <= count; i += kVectors * lanes) multiply_some(x + i, by, inverse, y + i);
  for (; i < count; i += lanes) divide(x + i, by, y + i, count - i);
}

template <typename Code>
HWY_INLINE void quantize_run(const float* x, float scale, int32_t zero, const ops::CodeRange& codes, Code* y,
                             size_t count) {
  const size_t lanes = hn::Lanes(kF32);
  const Rule rule = rule_of(hn::Set(kF32, scale), hn::Set(kI32, zero), codes);
  if constexpr (sizeof(Code) == 1) {
    if (count >= 16 * lanes && scale > 0x1p-100f && scale < 0x1p100f) return multiply_all(x, scale, rule, y, count);
  }
  for (size_t i = 0; i < count; i += lanes) divide(x + i, rule, y + i, count - i);
}

template <typename Code>
HWY_INLINE void quantize_to(const float* x, const ops::RowScales& by, const ops::CodeRange& codes, Code* y,
                            size_t count) {
  if (by.step == 0) {
    for (size_t i = 0, k = 0; i < count; ++k) {
      const size_t n = HWY_MIN(by.run, count - i);
      quantize_run(x + i, by.scales[k], by.zeros[k], codes, y + i, n);
      i += n;
    }
    return;
  }
  for (size_t i = 0; i < count; i += hn::Lanes(kF32)) {
    const auto scale = load_n(kF32, by.scales + i, count - i);
    divide(x + i, rule_of(scale, load_n(kI32, by.zeros + i, count - i), codes), y + i, count - i);
  }
}

void quantize_row(const float* x, const ops::RowScales& by, const ops::CodeRange& codes, void* y, size_t count) {
  if (codes.bytes == 1) return quantize_to(x, by, codes, static_cast<uint8_t*>(y), count);
  quantize_to(x, by, codes, static_cast<uint16_t*>(y), count);
}

template <typename Code>
HWY_INLINE VI whole_codes(const Code* x, size_t count) {
  const hn::Rebind<Code, hn::ScalableTag<float>> d;
  if constexpr (sizeof(Code) == 4) {
    return load_n(d, x, count);
  } else {
    return hn::PromoteTo(kI32, load_n(d, x, count));
  }
}

template <typename Code>
HWY_INLINE void dequantize_from(const void* from, const ops::RowScales& by, float* y, size_t count) {
  const size_t lanes = hn::Lanes(kF32);
  const auto* x = static_cast<const Code*>(from);
  const auto some = [&](size_t i, size_t n, VF scale, VI zero) HWY_ATTR {
    store_n(hn::Mul(hn::ConvertTo(kF32, hn::Sub(whole_codes(x + i, n), zero)), scale), kF32, y + i, n);
  };
  if (by.step == 1) {
    for (size_t i = 0; i < count; i += lanes)
      some(i, count - i, load_n(kF32, by.scales + i, count - i), load_n(kI32, by.zeros + i, count - i));
    return;
  }
  for (size_t first = 0, k = 0; first < count; ++k) {
    const size_t end = first + HWY_MIN(by.run, count - first);
    const auto scale = hn::Set(kF32, by.scales[k]);
    const auto zero = hn::Set(kI32, by.zeros[k]);
    for (size_t i = first; i < end; i += lanes) some(i, end - i, scale, zero);
    first = end;
  }
}
void dequantize_u8(const void* x, const ops::RowScales& by, float* y, size_t count) {
  dequantize_from<uint8_t>(x, by, y, count);
}
void dequantize_i8(const void* x, const ops::RowScales& by, float* y, size_t count) {
  dequantize_from<int8_t>(x, by, y, count);
}
void dequantize_u16(const void* x, const ops::RowScales& by, float* y, size_t count) {
  dequantize_from<uint16_t>(x, by, y, count);
}
void dequantize_i16(const void* x, const ops::RowScales& by, float* y, size_t count) {
  dequantize_from<int16_t>(x, by, y, count);
}
void dequantize_i32(const void* x, const ops::RowScales& by, float* y, size_t count) {
  dequantize_from<int32_t>(x, by, y, count);
}

// `v` where it is beyond `end`; NaN is not.
HWY_INLINE VF lower(VF v, VF end) {
#if HWY_ARCH_X86  // the second operand where the two are not ordered
  return hn::Min(v, end);
#else
  return hn::IfThenElse(hn::Lt(v, end), v, end);
#endif
}
HWY_INLINE VF higher(VF v, VF end) {
#if HWY_ARCH_X86
  return hn::Max(v, end);
#else
  return hn::IfThenElse(hn::Gt(v, end), v, end);
#endif
}

void range_of(const float* x, size_t count, float* low, float* high) {
  const size_t lanes = hn::Lanes(kF32);
  auto low0 = hn::Set(kF32, *low), low1 = low0, low2 = low0, low3 = low0;
  auto high0 = hn::Set(kF32, *high), high1 = high0, high2 = high0, high3 = high0;
  const auto take = [&](size_t at, VF& lows, VF& highs) HWY_ATTR {
    const auto v = hn::LoadU(kF32, x + at);
    lows = lower(v, lows);
    highs = higher(v, highs);
  };
  size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    take(i, low0, high0);
    take(i + lanes, low1, high1);
    take(i + 2 * lanes, low2, high2);
    take(i + 3 * lanes, low3, high3);
  }
  for (; i + lanes <= count; i += lanes) take(i, low0, high0);
  *low = hn::GetLane(hn::MinOfLanes(kF32, hn::Min(hn::Min(low0, low1), hn::Min(low2, low3))));
  *high = hn::GetLane(hn::MaxOfLanes(kF32, hn::Max(hn::Max(high0, high1), hn::Max(high2, high3))));
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

CodeRange code_range(DType type) {
  const auto [low, high] = integer_range(type);
  return {static_cast<int32_t>(low), static_cast<int32_t>(high), bit_width(type) > 8 ? 2 : 1};
}

QuantizeRow quantize_row_kernel() { return SDX_DISPATCH(quantize_row); }
DequantizeRow dequantize_row_kernel(DType from) {
  switch (from) {
    case DType::u8: return SDX_DISPATCH(dequantize_u8);
    case DType::i8: return SDX_DISPATCH(dequantize_i8);
    case DType::u16: return SDX_DISPATCH(dequantize_u16);
    case DType::i16: return SDX_DISPATCH(dequantize_i16);
    default: return SDX_DISPATCH(dequantize_i32);
  }
}
RangeOf range_kernel() { return SDX_DISPATCH(range_of); }

}  // namespace sdx::ops
#endif
