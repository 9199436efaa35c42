// Hyperbolic functions, their inverses and the tangent of float32 vectors, once per SIMD target. Every argument is
// allowed; errors are a few units in the last place (math/float_range_test.cc).
#include <cmath>

#include "ops/vector_math-inl.h"

#if defined(SDX_TRIGONOMETRY_PER_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef SDX_TRIGONOMETRY_PER_TARGET
#undef SDX_TRIGONOMETRY_PER_TARGET
#else
#define SDX_TRIGONOMETRY_PER_TARGET
#endif

HWY_BEFORE_NAMESPACE();
namespace sdx {
namespace HWY_NAMESPACE {

// e^|x| / 2, which overflows where the hyperbolic functions do.
template <class D, class V>
HWY_INLINE V half_exp_of_size(D d, V x) {
  V n;
  const V r = exp_rest(d, at_most(hn::Set(d, 90.0f), hn::Abs(x)), n);
  return exp_near(d, r, hn::Sub(n, hn::Set(d, 1.0f)));
}

template <class D, class V>
HWY_INLINE V cosh_of(D d, V x) {
  const V e = half_exp_of_size(d, x);
  return hn::Add(e, hn::Div(hn::Set(d, 0.25f), e));
}

// Near zero from e^x - 1.
template <class D, class V>
HWY_INLINE V sinh_of(D d, V x) {
  const V e = half_exp_of_size(d, x), size = hn::Abs(x), one = hn::Set(d, 1.0f);
  const V far = hn::Sub(e, hn::Div(hn::Set(d, 0.25f), e));
  const V less = expm1_below(d, at_most(one, size));
  const V near = hn::Mul(hn::Set(d, 0.5f), hn::Add(less, hn::Div(less, hn::Add(less, one))));
  return hn::CopySign(hn::IfThenElse(hn::Lt(size, one), near, far), x);
}

// x - n pi / 2 in float64 for |x| < kLargestAngle, and whether n is odd (not zero where it is).
inline constexpr float kLargestAngle = 1e6f;
template <class D, class V>
HWY_INLINE V angle_rest(D d, V x, hn::VFromD<hn::RebindToSigned<D>>& odd) {
  const hn::Half<D> dh;
  const hn::RebindToSigned<decltype(dh)> dih;
  const hn::RebindToSigned<D> di;
  const hn::Repartition<double, D> dd;
  const auto part = [&](auto half, auto& n_half) HWY_ATTR {
    const auto wide = hn::PromoteTo(dd, half);
    const auto n = hn::Round(hn::Mul(wide, hn::Set(dd, 0.63661977236758134)));
    n_half = hn::DemoteTo(dih, n);
    // The first part has so many zeros at its end that its product with n is exact.
    const auto rest = hn::NegMulAdd(n, hn::Set(dd, 0x1.921fb544p+0), wide);
    return hn::DemoteTo(dh, hn::NegMulAdd(n, hn::Set(dd, 0x1.0b4611a626331p-34), rest));
  };
  hn::VFromD<decltype(dih)> low_n, high_n;
  const auto low = part(hn::LowerHalf(dh, x), low_n), high = part(hn::UpperHalf(dh, x), high_n);
  odd = hn::And(hn::Combine(di, high_n, low_n), hn::Set(di, 1));
  return hn::Combine(d, high, low);
}

// Arguments that are infinite, no numbers or large go one by one.
template <class D, class V>
HWY_INLINE V tan_of(D d, V x) {
  static constexpr float kTerms[] = {0.33333349229f,  0.13332653046f,    0.05406106636f,  0.02127606049f,
                                     0.010852173902f, 6.8211120379e-05f, 0.0043870727532f};
  const auto inside = hn::Lt(hn::Abs(x), hn::Set(d, kLargestAngle));
  hn::VFromD<hn::RebindToSigned<D>> odd;
  const V r = angle_rest(d, hn::IfThenElseZero(inside, x), odd);
  const V square = hn::Mul(r, r);
  const V near = hn::MulAdd(hn::Mul(r, square), polynomial(d, square, kTerms), r);
  const V y = hn::IfThenElse(hn::RebindMask(d, hn::Ne(odd, hn::Zero(hn::RebindToSigned<D>()))),
                             hn::Div(hn::Set(d, -1.0f), near), near);
  const V signed_y = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), x, y);
  if (HWY_LIKELY(hn::AllTrue(d, inside))) return signed_y;
  HWY_ALIGN float arguments[hn::MaxLanes(D())], results[hn::MaxLanes(D())];
  hn::Store(x, d, arguments);
  for (size_t i = 0; i < hn::Lanes(d); ++i)
    results[i] = static_cast<float>(std::tan(static_cast<double>(arguments[i])));
  return hn::IfThenElse(inside, signed_y, hn::Load(d, results));
}

// log(1 + x) for x >= 0: what 1 + x rounds away, over it, is the missing part.
template <class D, class V>
HWY_INLINE V log1p_of(D d, V x) {
  const V one = hn::Set(d, 1.0f), sum = hn::Add(one, x);
  const V lost = hn::Sub(x, hn::Sub(sum, one));
  const V y = hn::Add(log_of(d, sum), hn::Div(lost, sum));
  return hn::IfThenElse(hn::Lt(x, hn::Set(d, HUGE_VALF)), y, x);
}

// log(x + sqrt(x^2 - 1)); for large x log(2 x).
template <class D, class V>
HWY_INLINE V acosh_of(D d, V x) {
  const V one = hn::Set(d, 1.0f), above = hn::Sub(x, one);
  const auto large = hn::Gt(x, hn::Set(d, 1e8f));
  const V root = hn::Sqrt(hn::Mul(above, hn::Add(x, one)));
  const V y = log1p_of(d, hn::IfThenElse(large, x, hn::Add(above, root)));
  const V all = hn::Add(y, hn::IfThenElseZero(large, hn::Set(d, 0.693147181f)));
  return hn::IfThenElse(hn::Ge(x, one), all, hn::Set(d, NAN));
}

// log(|x| + sqrt(x^2 + 1)) = log(1 + |x| + x^2 / (1 + sqrt(x^2 + 1))), with the sign of x; for large x log(2 |x|).
template <class D, class V>
HWY_INLINE V asinh_of(D d, V x) {
  const V one = hn::Set(d, 1.0f), size = hn::Abs(x);
  const auto large = hn::Gt(size, hn::Set(d, 1e8f));
  const V square = hn::Mul(size, size);
  const V more = hn::Div(square, hn::Add(one, hn::Sqrt(hn::Add(square, one))));
  const V y = log1p_of(d, hn::IfThenElse(large, size, hn::Add(size, more)));
  return hn::CopySign(hn::Add(y, hn::IfThenElseZero(large, hn::Set(d, 0.693147181f))), x);
}

// log((1 + |x|) / (1 - |x|)) / 2 = log(1 + 2 |x| / (1 - |x|)) / 2, with the sign of x.
template <class D, class V>
HWY_INLINE V atanh_of(D d, V x) {
  const V one = hn::Set(d, 1.0f), size = hn::Abs(x);
  const V ratio = hn::Div(hn::Add(size, size), hn::Sub(one, size));
  const V y = hn::CopySign(hn::Mul(hn::Set(d, 0.5f), log1p_of(d, ratio)), x);
  return hn::IfThenElse(hn::Le(size, one), y, hn::Set(d, NAN));
}

}  // namespace HWY_NAMESPACE
}  // namespace sdx
HWY_AFTER_NAMESPACE();

#endif  // per target
