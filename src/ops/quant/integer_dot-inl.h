// Products of four bytes in every 32-bit lane, by pairs of 16 bits: per target, beside the kernels that include it.
#include "kernel/simd.h"

#if defined(SDX_INTEGER_DOT_PER_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef SDX_INTEGER_DOT_PER_TARGET
#undef SDX_INTEGER_DOT_PER_TARGET
#else
#define SDX_INTEGER_DOT_PER_TARGET
#endif

HWY_BEFORE_NAMESPACE();
namespace sdx {
namespace HWY_NAMESPACE {

// sum + a[0] * b[0] + a[1] * b[1] in every 32-bit lane.
template <class D32, class V16, class V32 = hn::Vec<D32>>
HWY_INLINE V32 multiply_add_pairs(D32 d32, V16 a, V16 b, V32 sum) {
#if HWY_ARCH_X86
  V32 unused = hn::Zero(d32);
  return hn::ReorderWidenMulAccumulate(d32, a, b, sum, unused);
#else
  const auto low = [&](V16 v) HWY_ATTR { return hn::ShiftRight<16>(hn::ShiftLeft<16>(hn::BitCast(d32, v))); };
  const auto high = [&](V16 v) HWY_ATTR { return hn::ShiftRight<16>(hn::BitCast(d32, v)); };
  return hn::Add(sum, hn::Add(hn::Mul(low(a), low(b)), hn::Mul(high(a), high(b))));
#endif
}

// The first and third byte of each four, and the second and fourth, as 16 bits.
template <class V16>
struct Halves {
  // An implicit one would not have the target's instructions.
  HWY_INLINE Halves() {}  // NOLINT(modernize-use-equals-default)
  HWY_INLINE Halves(V16 even_bytes, V16 odd_bytes) : even(even_bytes), odd(odd_bytes) {}
  V16 even, odd;
};
template <bool is_signed, class D16, class V16 = hn::Vec<D16>>
HWY_INLINE Halves<V16> widen(D16 d16, V16 bytes) {
  if constexpr (is_signed) return {hn::ShiftRight<8>(hn::ShiftLeft<8>(bytes)), hn::ShiftRight<8>(bytes)};
  const hn::RebindToUnsigned<D16> du16;
  return {hn::And(bytes, hn::Set(d16, 255)), hn::BitCast(d16, hn::ShiftRight<8>(hn::BitCast(du16, bytes)))};
}

template <class D32, class V16, class V32 = hn::Vec<D32>>
HWY_INLINE V32 dot(D32 d32, const Halves<V16>& a, const Halves<V16>& b, V32 sum) {
  return multiply_add_pairs(d32, a.odd, b.odd, multiply_add_pairs(d32, a.even, b.even, sum));
}

}  // namespace HWY_NAMESPACE
}  // namespace sdx
HWY_AFTER_NAMESPACE();

#endif
