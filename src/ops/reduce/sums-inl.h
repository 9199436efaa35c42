// Sums over float32 rows, kept in double, once per SIMD target.
#include "kernel/simd.h"

#if defined(SDX_REDUCE_SUMS_PER_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef SDX_REDUCE_SUMS_PER_TARGET
#undef SDX_REDUCE_SUMS_PER_TARGET
#else
#define SDX_REDUCE_SUMS_PER_TARGET
#endif

HWY_BEFORE_NAMESPACE();
namespace sdx {
namespace HWY_NAMESPACE {

struct Magnitude {
  template <class V>
  HWY_INLINE V operator()(V v) const {
    return hn::Abs(v);
  }
};
struct Squared {
  template <class V>
  HWY_INLINE V operator()(V v) const {
    return hn::Mul(v, v);
  }
};

using DoubleTag = hn::ScalableTag<double>;
using HalfTag = hn::Rebind<float, DoubleTag>;  // as many floats as a vector has doubles

HWY_INLINE hn::VFromD<DoubleTag> load_as_double(const float* x, size_t count) {
  return hn::PromoteTo(DoubleTag(), load_n(HalfTag(), x, count));
}

// The sum of f(x) in double, in a fixed order.
template <class F>
HWY_INLINE double sum_row(const float* x, size_t count, F f) {
  const DoubleTag d;
  const size_t lanes = hn::Lanes(d);
  auto a = hn::Zero(d), b = hn::Zero(d), c = hn::Zero(d), e = hn::Zero(d);
  size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    a = hn::Add(a, f(load_as_double(x + i, lanes)));
    b = hn::Add(b, f(load_as_double(x + i + lanes, lanes)));
    c = hn::Add(c, f(load_as_double(x + i + 2 * lanes, lanes)));
    e = hn::Add(e, f(load_as_double(x + i + 3 * lanes, lanes)));
  }
  for (; i + lanes <= count; i += lanes) a = hn::Add(a, f(load_as_double(x + i, lanes)));
  double sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e))));
  if (i < count) {
    // The lanes beyond the end must not count, whatever f makes of zero.
    const auto last = hn::IfThenElseZero(hn::FirstN(d, count - i), f(load_as_double(x + i, count - i)));
    sum += hn::GetLane(hn::SumOfLanes(d, last));
  }
  return sum;
}

}  // namespace HWY_NAMESPACE
}  // namespace sdx
HWY_AFTER_NAMESPACE();

#endif  // per target
