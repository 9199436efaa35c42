#include "base/simd_targets.h"  // first

#include <cmath>
#include <cstring>

#include "kernel/simd.h"
#include "ops/input_rules.h"
#include "ops/quant/qlinear_binary_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

constexpr hn::ScalableTag<float> kF32;
constexpr hn::ScalableTag<int32_t> kI32;
constexpr hn::Rebind<uint8_t, hn::ScalableTag<float>> kU8;
constexpr hn::Rebind<int8_t, hn::ScalableTag<float>> kI8;
using V = hn::Vec<hn::ScalableTag<float>>;

// One rounding, where the machine has such an instruction or not.
HWY_INLINE V fused(V a, V b, V c) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(a, b, c);
#else
  HWY_ALIGN float x[hn::MaxLanes(kF32)], y[hn::MaxLanes(kF32)], z[hn::MaxLanes(kF32)];
  hn::Store(a, kF32, x);
  hn::Store(b, kF32, y);
  hn::Store(c, kF32, z);
  for (size_t i = 0; i < hn::Lanes(kF32); ++i) z[i] = std::fma(x[i], y[i], z[i]);
  return hn::Load(kF32, z);
#endif
}

// The compiler may not fuse what follows with what made the value.
HWY_INLINE V rounded(V v) {
#if HWY_ARCH_X86
  __asm__("" : "+x"(v.raw));
#elif HWY_ARCH_ARM_A64
  __asm__("" : "+w"(v.raw));
#endif
  return v;
}

// y[i] = saturate(round(f(a[i], b[i])))
template <bool is_signed, class F>
HWY_INLINE void map_codes(const ops::CodeRows& rows, F f) {
  const size_t lanes = hn::Lanes(kF32);
  const auto widen = [](hn::Vec<decltype(kU8)> bytes) HWY_ATTR {
    if constexpr (is_signed)
      return hn::ConvertTo(kF32, hn::PromoteTo(kI32, hn::BitCast(kI8, bytes)));
    else
      return hn::ConvertTo(kF32, hn::PromoteTo(kI32, bytes));
  };
  const auto low = hn::Set(kF32, is_signed ? -128.0f : 0.0f), high = hn::Set(kF32, is_signed ? 127.0f : 255.0f);
  for (size_t i = 0; i < rows.count; i += lanes) {
    const size_t n = HWY_MIN(lanes, rows.count - i);
    HWY_ALIGN uint8_t buffer[HWY_MAX_BYTES] = {};
    const auto load = [&](const uint8_t* from, int step) HWY_ATTR {
      if (step == 0) return hn::Set(kU8, *from);
      if (n == lanes) return hn::LoadU(kU8, from + i);
      std::memcpy(buffer, from + i, n);
      return hn::LoadU(kU8, buffer);
    };
    const V a = widen(load(rows.a, rows.a_step));
    const V value = f(a, widen(load(rows.b, rows.b_step)));
    const V bounded = hn::IfThenElse(hn::IsNaN(value), low, hn::Min(hn::Max(value, low), high));
    const auto whole = hn::NearestInt(bounded);
    auto bytes = hn::Zero(kU8);
    if constexpr (is_signed)
      bytes = hn::BitCast(kU8, hn::DemoteTo(kI8, whole));
    else
      bytes = hn::DemoteTo(kU8, whole);
    if (n == lanes) {
      hn::StoreU(bytes, kU8, rows.y + i);
    } else {
      hn::StoreU(bytes, kU8, buffer);
      std::memcpy(rows.y + i, buffer, n);
    }
  }
}

void add_codes(const ops::QlinearSum& sum, const ops::CodeRows& rows) {
  const V ratio = hn::Set(kF32, sum.ratio), other = hn::Set(kF32, sum.other), rest = hn::Set(kF32, sum.rest);
  const auto f = [&](V a, V b) HWY_ATTR { return fused(a, ratio, fused(b, other, rest)); };
  rows.is_signed ? map_codes<true>(rows, f) : map_codes<false>(rows, f);
}

void multiply_codes(const ops::QlinearProduct& product, const ops::CodeRows& rows) {
  const V a_zero = hn::Set(kF32, product.a_zero), b_zero = hn::Set(kF32, product.b_zero);
  const V y_zero = hn::Set(kF32, product.y_zero), ratio = hn::Set(kF32, product.ratio);
  const auto f = [&](V a, V b) HWY_ATTR {
    return hn::Add(rounded(hn::Mul(hn::Mul(hn::Sub(a, a_zero), hn::Sub(b, b_zero)), ratio)), y_zero);
  };
  rows.is_signed ? map_codes<true>(rows, f) : map_codes<false>(rows, f);
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

AddCodes add_codes_kernel() { return SDX_DISPATCH(add_codes); }
MultiplyCodes multiply_codes_kernel() { return SDX_DISPATCH(multiply_codes); }

Verdict takes_bytes(const NodeFacts& facts) {
  return contains(kBytes, facts.dtype(0)) ? yes() : no("only 8-bit integers");
}

}  // namespace sdx::ops
#endif
