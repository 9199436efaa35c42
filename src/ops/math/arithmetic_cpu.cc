// Float32 arithmetic of two operands.
#include "base/simd_targets.h"  // first

#include <cmath>

#include "ops/elementwise-inl.h"
#include "ops/math/arithmetic.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct Sum {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Add(a, b);
  }
};
struct Subtract {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Sub(a, b);
  }
};
struct Multiply {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Mul(a, b);
  }
};
struct Divide {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Div(a, b);
  }
};
struct Maximum {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::IfThenElse(hn::IsNaN(a), a, hn::IfThenElse(hn::Lt(b, a), a, b));
  }
};
struct Minimum {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::IfThenElse(hn::IsNaN(a), a, hn::IfThenElse(hn::Gt(b, a), a, b));
  }
};
struct Prelu {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return hn::IfThenElse(hn::Lt(a, hn::Zero(d)), hn::Mul(a, b), a);
  }
};

void add_kernel(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  map_binary(a, a_step, b, b_step, y, count, Sum());
}
void subtract_kernel(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  map_binary(a, a_step, b, b_step, y, count, Subtract());
}
void multiply_kernel(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  map_binary(a, a_step, b, b_step, y, count, Multiply());
}
void divide_kernel(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  map_binary(a, a_step, b, b_step, y, count, Divide());
}
void maximum_kernel(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  map_binary(a, a_step, b, b_step, y, count, Maximum());
}
void minimum_kernel(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  map_binary(a, a_step, b, b_step, y, count, Minimum());
}
void prelu_kernel(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  map_binary(a, a_step, b, b_step, y, count, Prelu());
}

// A remainder of float32 numbers in float64, where the quotient is small enough that its product with the divisor is
// exact; else by fmod.
template <bool floored>
HWY_INLINE float rest_of(double rest, double a, double b) {
  if constexpr (!floored) return static_cast<float>(std::copysign(rest, a));
  const double moved = (rest < 0) != (b < 0) ? rest + b : rest;
  return static_cast<float>(rest == 0 ? std::copysign(0.0, b) : moved);
}
template <bool floored>
HWY_INLINE void modulo(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const auto sign = hn::SignBit(d);
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i < count; i += lanes) {
    const size_t n = HWY_MIN(lanes, count - i);
    const auto fa = a_step == 0 ? hn::Set(df, *a) : load_n(df, a + i, n);
    const auto fb = b_step == 0 ? hn::Set(df, *b) : load_n(df, b + i, n);
    const auto va = hn::PromoteTo(d, fa), vb = hn::PromoteTo(d, fb);
    const auto quotient = hn::Trunc(hn::Div(va, vb));
    const auto exact =
        hn::And(hn::Lt(hn::Abs(quotient), hn::Set(d, 0x1p29)), hn::Lt(hn::Abs(vb), hn::Set(d, HUGE_VAL)));
    auto rest = hn::Sub(va, hn::Mul(quotient, vb));
    if constexpr (floored) {
      const auto apart =
          hn::Lt(hn::Or(hn::AndNot(sign, hn::Set(d, 1.0)), hn::And(sign, hn::Xor(rest, vb))), hn::Zero(d));
      const auto moved = hn::IfThenElse(apart, hn::Add(rest, vb), rest);
      rest = hn::IfThenElse(hn::Eq(rest, hn::Zero(d)), hn::And(sign, vb), moved);
    } else {
      rest = hn::Or(hn::AndNot(sign, rest), hn::And(sign, va));
    }
    const auto out = hn::DemoteTo(df, rest);
    if (HWY_LIKELY(n == lanes && hn::AllTrue(d, exact))) {
      hn::StoreU(out, df, y + i);
      continue;
    }
    HWY_ALIGN float as[hn::MaxLanes(d)], bs[hn::MaxLanes(d)];
    hn::Store(fa, df, as);
    hn::Store(fb, df, bs);
    for (size_t k = 0; k < n; ++k) {
      const double x = static_cast<double>(as[k]), by = static_cast<double>(bs[k]), r = std::fmod(x, by);
      y[i + k] = r == r ? rest_of<floored>(r, x, by) : static_cast<float>(r);
    }
  }
}
void floor_modulo(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  modulo<true>(a, a_step, b, b_step, y, count);
}
void truncate_modulo(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  modulo<false>(a, a_step, b, b_step, y, count);
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

BinaryKernel<float> add_f32() { return SDX_DISPATCH(add_kernel); }
BinaryKernel<float> subtract_f32() { return SDX_DISPATCH(subtract_kernel); }
BinaryKernel<float> multiply_f32() { return SDX_DISPATCH(multiply_kernel); }
BinaryKernel<float> divide_f32() { return SDX_DISPATCH(divide_kernel); }
BinaryKernel<float> maximum_f32() { return SDX_DISPATCH(maximum_kernel); }
BinaryKernel<float> minimum_f32() { return SDX_DISPATCH(minimum_kernel); }
BinaryKernel<float> prelu_f32() { return SDX_DISPATCH(prelu_kernel); }
BinaryKernel<float> modulo_f32(int64_t fmod) {
  return fmod != 0 ? SDX_DISPATCH(truncate_modulo) : SDX_DISPATCH(floor_modulo);
}

}  // namespace sdx::ops
#endif
