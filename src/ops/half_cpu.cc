// float16 and bfloat16 to float32 and back.
#include "base/simd_targets.h"  // first

#include "base/float_format.h"
#include "kernel/simd.h"
#include "ops/half.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// Through integers, so that every target rounds alike: the exponent is moved by multiplying with a power of two, which
// makes subnormal numbers normal.
void f16_to_f32(const uint16_t* from, float* to, size_t count) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<uint16_t, decltype(d)> d16;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto code = hn::PromoteTo(du, load_n(d16, from + i, count - i));
    const auto magnitude = hn::ShiftLeft<13>(hn::And(code, hn::Set(du, 0x7fffu)));
    const auto sign = hn::ShiftLeft<16>(hn::And(code, hn::Set(du, 0x8000u)));
    const auto scaled = hn::BitCast(du, hn::Mul(hn::BitCast(d, magnitude), hn::Set(d, 0x1p112f)));
    const auto special = hn::Gt(magnitude, hn::Set(du, 0x0f7fffffu));  // infinity and NaN keep the last exponent
    const auto value = hn::IfThenElse(special, hn::Or(magnitude, hn::Set(du, 0x7f800000u)), scaled);
    store_n(hn::BitCast(d, hn::Or(value, sign)), d, to + i, count - i);
  }
}

void f32_to_f16(const float* from, uint16_t* to, size_t count) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<uint16_t, decltype(d)> d16;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto bits = hn::BitCast(du, load_n(d, from + i, count - i));
    const auto magnitude = hn::And(bits, hn::Set(du, 0x7fffffffu));
    const auto sign = hn::ShiftRight<16>(hn::And(bits, hn::Set(du, 0x80000000u)));
    // Normal results: half of a unit is added before the cut, less the bit that makes ties even.
    const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 1u));
    const auto rounded = hn::Add(magnitude, hn::Add(odd, hn::Set(du, 0xfffu - (112u << 23))));
    const auto normal = hn::ShiftRight<13>(rounded);
    // Subnormal results: adding 0.5 leaves the code in the low bits of the sum.
    const auto shifted = hn::BitCast(du, hn::Add(hn::BitCast(d, magnitude), hn::Set(d, 0.5f)));
    const auto subnormal = hn::Sub(shifted, hn::Set(du, 0x3f000000u));
    auto code = hn::IfThenElse(hn::Gt(hn::Set(du, 113u << 23), magnitude), subnormal, normal);
    code = hn::IfThenElse(hn::Gt(magnitude, hn::Set(du, 0x477fefffu)), hn::Set(du, 0x7c00u), code);
    code = hn::IfThenElse(hn::Gt(magnitude, hn::Set(du, 0x7f800000u)), hn::Set(du, 0x7e00u), code);
    store_n(hn::DemoteTo(d16, hn::BitCast(hn::RebindToSigned<decltype(d)>(), hn::Or(code, sign))), d16, to + i,
            count - i);
  }
}

void bf16_to_f32(const uint16_t* from, float* to, size_t count) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<uint16_t, decltype(d)> d16;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto code = hn::PromoteTo(du, load_n(d16, from + i, count - i));
    store_n(hn::BitCast(d, hn::ShiftLeft<16>(code)), d, to + i, count - i);
  }
}

void f32_to_bf16(const float* from, uint16_t* to, size_t count) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<uint16_t, decltype(d)> d16;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto value = load_n(d, from + i, count - i);
    const auto bits = hn::BitCast(du, value);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
    const auto rounded = hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7fffu))));
    const auto quiet = hn::Or(hn::ShiftRight<16>(bits), hn::Set(du, 0x40u));
    const auto code =
        hn::IfThenElse(hn::Gt(hn::And(bits, hn::Set(du, 0x7fffffffu)), hn::Set(du, 0x7f800000u)), quiet, rounded);
    store_n(hn::DemoteTo(d16, hn::BitCast(hn::RebindToSigned<decltype(d)>(), code)), d16, to + i, count - i);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

void half_to_f32(DType type, const void* from, float* to, size_t count) {
  const auto* codes = static_cast<const uint16_t*>(from);
  if (type == DType::f16) return SDX_DISPATCH(f16_to_f32)(codes, to, count);
  SDX_DISPATCH(bf16_to_f32)(codes, to, count);
}

void f32_to_half(DType type, const float* from, void* to, size_t count) {
  auto* codes = static_cast<uint16_t*>(to);
  if (type == DType::f16) return SDX_DISPATCH(f32_to_f16)(from, codes, count);
  SDX_DISPATCH(f32_to_bf16)(from, codes, count);
}

}  // namespace sdx::ops
#endif
