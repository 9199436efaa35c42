// Elementary functions of float32 vectors, once per SIMD target. Every argument is allowed: NaN gives NaN, infinities
// and subnormal numbers are right. Errors are a few units in the last place. The polynomials are minimax fits.
#include "kernel/clamp-inl.h"

#if defined(SDX_VECTOR_MATH_PER_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef SDX_VECTOR_MATH_PER_TARGET
#undef SDX_VECTOR_MATH_PER_TARGET
#else
#define SDX_VECTOR_MATH_PER_TARGET
#endif

HWY_BEFORE_NAMESPACE();
namespace sdx {
namespace HWY_NAMESPACE {

// c[0] + c[1] x + ... by Horner's rule.
template <size_t N, class D, class V>
HWY_INLINE V polynomial(D d, V x, const float (&c)[N]) {
  V sum = hn::Set(d, c[N - 1]);
  for (size_t i = N - 1; i-- > 0;) sum = hn::MulAdd(sum, x, hn::Set(d, c[i]));
  return sum;
}

// ln 2 in two parts: a product of the first with an exponent is exact.
inline constexpr float kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;

// (e^r - 1 - r) / r^2 near zero.
inline constexpr float kExpTerms[] = {0.50000001f, 0.166665185f, 0.0416662048f, 0.00836892878f, 0.00139505595f};

// p 2^n for whole n in [-153, 130] and p near 1, so that the ends overflow to infinity and fade through the subnormal
// numbers: with 2^n as two factors, where there is no instruction for it.
template <class D, class V>
HWY_INLINE V times_power(D d, V p, V n) {
  const hn::RebindToSigned<D> di;
  const auto exponent = hn::ConvertTo(di, n);
  const auto half = hn::ShiftRight<1>(exponent);
  const auto power = [&](auto k) HWY_ATTR { return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(k, hn::Set(di, 127)))); };
  return hn::Mul(hn::Mul(p, power(half)), power(hn::Sub(exponent, half)));
}
// Whether that is one instruction.
template <class D>
inline constexpr bool kHasTimesPower = false;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
template <>
inline constexpr bool kHasTimesPower<hn::Full512<float>> = true;
template <class D>
HWY_INLINE hn::Vec512<float> times_power(D, hn::Vec512<float> p, hn::Vec512<float> n) {
  return hn::Vec512<float>{_mm512_scalef_ps(p.raw, n.raw)};
}
#endif

// x - n ln 2, where n is the nearest integer that leaves little.
template <class D, class V>
HWY_INLINE V exp_rest(D d, V x, V& n) {
  n = hn::Round(hn::Mul(x, hn::Set(d, 1.44269504f)));
  return hn::NegMulAdd(n, hn::Set(d, kLn2Low), hn::NegMulAdd(n, hn::Set(d, kLn2High), x));
}
// 2^n e^r for small r.
template <class D, class V>
HWY_INLINE V exp_near(D d, V r, V n) {
  const V one = hn::Set(d, 1.0f);
  return times_power(d, hn::MulAdd(hn::MulAdd(polynomial(d, r, kExpTerms), r, one), r, one), n);
}

// e^(x + low) for x in [-106, 90] and |low| < 0.2.
template <class D, class V>
HWY_INLINE V exp_split(D d, V x, V low) {
  V n;
  const V r = exp_rest(d, x, n);
  return exp_near(d, hn::Add(r, low), n);
}

// e^x for x <= 89.5.
template <class D, class V>
HWY_INLINE V exp_below(D d, V x) {
  V n;
  const V r = exp_rest(d, at_least(hn::Set(d, -105.0f), x), n);
  return exp_near(d, r, n);
}

template <class D, class V>
HWY_INLINE V exp_of(D d, V x) {
  return exp_below(d, at_most(hn::Set(d, 89.5f), x));
}

// e^x - 1 for x <= 88.9, with all digits near zero: (2^n - 1) + 2^n (e^r - 1), halved so that the end overflows
// rightly.
template <class D, class V>
HWY_INLINE V expm1_below(D d, V x) {
  V n;
  const V r = exp_rest(d, at_least(hn::Set(d, -20.0f), x), n);
  const V rest = hn::MulAdd(hn::Mul(polynomial(d, r, kExpTerms), r), r, r);
  const hn::RebindToSigned<D> di;
  const V half_power = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, n), hn::Set(di, 126))));
  const V half_sum = hn::MulAdd(half_power, rest, hn::Sub(half_power, hn::Set(d, 0.5f)));
  return hn::Add(half_sum, half_sum);
}

template <class D, class V>
HWY_INLINE V expm1_of(D d, V x) {
  return expm1_below(d, at_most(hn::Set(d, 88.9f), x));
}

// (2^r - 1) / r for |r| <= 1/2.
inline constexpr float kExp2Terms[] = {0.693146978f, 0.240222421f, 0.0555073374f, 0.00967151265f, 0.00132647271f};

// 2^x for x <= 0; where it is no normal number, it may be 0.
template <class D, class V>
HWY_INLINE V exp2_below(D d, V x) {
  const auto near_one = [&](V r) HWY_ATTR { return hn::MulAdd(polynomial(d, r, kExp2Terms), r, hn::Set(d, 1.0f)); };
  if constexpr (kHasTimesPower<D>) {  // NaN times 2^-infinity is 0 there, as it should be
    const V n = hn::Round(x);
    return times_power(d, near_one(hn::Sub(x, n)), n);
  } else {
    const V inside = at_least(hn::Set(d, -126.4f), x);
    // Added to so large a number, a sum is rounded to an integer, which its last bits hold.
    const V large = hn::Set(d, 12582912.0f), shifted = hn::Add(inside, large);
    const V p = near_one(hn::Sub(inside, hn::Sub(shifted, large)));
    const hn::RebindToSigned<D> di;
    const auto power = hn::Add(hn::ShiftLeft<23>(hn::BitCast(di, shifted)), hn::Set(di, 127 << 23));
    return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -126.0f)), hn::Mul(p, hn::BitCast(d, power)));
  }
}

// log(1 + f) for f in [sqrt(1/2) - 1, sqrt(2) - 1].
template <class D, class V>
HWY_INLINE V log_near_one(D d, V f) {
  static constexpr float kTerms[] = {0.333333167f, -0.250008104f, 0.200022863f, -0.166245546f,
                                     0.141811917f, -0.1312875f,   0.128816475f, -0.0785962398f};
  const V square = hn::Mul(f, f);
  const V high = hn::NegMulAdd(square, hn::Set(d, 0.5f), hn::Mul(hn::Mul(f, square), polynomial(d, f, kTerms)));
  return hn::Add(f, high);
}

template <class D, class V>
HWY_INLINE V log_of(D d, V x) {
  const hn::RebindToSigned<D> di;
  const auto kRootHalf = hn::Set(di, 0x3f3504f3);
  const auto small = hn::Lt(x, hn::Set(d, 1.17549435e-38f));
  const V scaled = hn::IfThenElse(small, hn::Mul(x, hn::Set(d, 33554432.0f)), x);
  const auto bits = hn::Sub(hn::BitCast(di, scaled), kRootHalf);
  const V mantissa = hn::BitCast(d, hn::Add(hn::And(bits, hn::Set(di, 0x7fffff)), kRootHalf));
  V exponent = hn::ConvertTo(d, hn::ShiftRight<23>(bits));
  exponent = hn::Sub(exponent, hn::IfThenElseZero(small, hn::Set(d, 25.0f)));
  V y = log_near_one(d, hn::Sub(mantissa, hn::Set(d, 1.0f)));
  y = hn::MulAdd(exponent, hn::Set(d, kLn2High), hn::MulAdd(exponent, hn::Set(d, kLn2Low), y));
  y = hn::IfThenElse(hn::Gt(x, hn::Set(d, 0.0f)), y, hn::Set(d, NAN));
  y = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Set(d, -HUGE_VALF), y);
  return hn::IfThenElse(hn::Eq(x, hn::Set(d, HUGE_VALF)), x, y);
}

// 1 / (1 + e^-x). The sign decides the form, so that neither end loses digits.
template <class D, class V>
HWY_INLINE V sigmoid_of(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  const V e = exp_below(d, hn::Or(x, hn::SignBit(d)));
  return hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one), hn::Add(one, e));
}

template <class D, class V>
HWY_INLINE V tanh_of(D d, V x) {
  static constexpr float kTerms[] = {-0.333332839f, 0.133314913f, -0.0537434998f, 0.0206505922f, -0.0057170499f};
  const V size = hn::Abs(x), square = hn::Mul(x, x);
  const V near = hn::MulAdd(hn::Mul(size, square), polynomial(d, square, kTerms), size);
  const V e = exp_of(d, hn::Min(hn::Add(size, size), hn::Set(d, 40.0f)));
  const V far = hn::Sub(hn::Set(d, 1.0f), hn::Div(hn::Set(d, 2.0f), hn::Add(e, hn::Set(d, 1.0f))));
  const V y = hn::CopySign(hn::IfThenElse(hn::Lt(size, hn::Set(d, 0.625f)), near, far), x);
  return hn::IfThenElse(hn::IsNaN(x), x, y);
}

// Near zero a polynomial; else 1 - erfc, where -log(erfc) is a polynomial.
template <class D, class V>
HWY_INLINE V erf_of(D d, V x) {
  static constexpr float kNear[] = {1.12837917f,    -0.376126258f,    0.112835851f,   -0.0268538119f,
                                    0.00518832768f, -0.000801019361f, 7.85386129e-05f};
  static constexpr float kFar[] = {0.0002930335f,  1.12727945f,    0.637839898f,    0.103362111f,
                                   -0.0219558223f, 0.00297599671f, -0.000189158188f};
  const V size = hn::Min(hn::Abs(x), hn::Set(d, 4.0f));
  const V near = hn::Mul(size, polynomial(d, hn::Mul(size, size), kNear));
  const V far = hn::Sub(hn::Set(d, 1.0f), exp_split(d, hn::Neg(polynomial(d, size, kFar)), hn::Zero(d)));
  const V y = hn::CopySign(hn::IfThenElse(hn::Lt(size, hn::Set(d, 1.0f)), near, far), x);
  return hn::IfThenElse(hn::IsNaN(x), x, y);
}

// The normal distribution function, with all digits in its lower tail:
// Phi(-x) = e^(-x^2 / 2) P(u) for x >= 0, u = (x - 3) / (x + 3).
template <class D, class V>
HWY_INLINE V normal_cdf(D d, V x) {
  static constexpr float kTerms[] = {0.121513948f,    -0.20640262f,   0.123225041f,     -0.0462132636f,
                                     0.00613194227f,  0.00290438739f, -0.000983288178f, -0.000339012883f,
                                     0.000115013644f, 5.31619448e-05f};
  const hn::RebindToUnsigned<D> du;
  const V size = hn::Min(hn::Abs(x), hn::Set(d, 14.6f)), three = hn::Set(d, 3.0f), half = hn::Set(d, -0.5f);
  // The square in two parts: the high one is exact.
  const V high = hn::BitCast(d, hn::And(hn::BitCast(du, size), hn::Set(du, 0xfffff000u)));
  const V low = hn::Mul(hn::Sub(size, high), hn::Add(size, high));
  const V e = exp_split(d, hn::Mul(hn::Mul(high, high), half), hn::Mul(low, half));
  const V tail = hn::Mul(e, polynomial(d, hn::Div(hn::Sub(size, three), hn::Add(size, three)), kTerms));
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(hn::Set(d, 1.0f), tail));
}

// log(1 + e^x) = max(x, 0) + log(1 + e^-|x|).
template <class D, class V>
HWY_INLINE V softplus_of(D d, V x) {
  const V e = exp_of(d, hn::Neg(hn::Abs(x)));  // in [0, 1]
  const auto large = hn::Gt(e, hn::Set(d, 0.41421356f));
  const V f = hn::IfThenElse(large, hn::Mul(hn::Sub(e, hn::Set(d, 1.0f)), hn::Set(d, 0.5f)), e);
  const V log = hn::Add(log_near_one(d, f), hn::IfThenElseZero(large, hn::Set(d, 0.693147181f)));
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Add(hn::Max(x, hn::Zero(d)), log));
}

}  // namespace HWY_NAMESPACE
}  // namespace sdx
HWY_AFTER_NAMESPACE();

#endif  // per target
