// Exponentials of float32 rows below their top, and the sums of them, once per SIMD target.
#include <cmath>

#include "ops/vector_math-inl.h"

#if defined(SDX_EXP_ROWS_PER_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef SDX_EXP_ROWS_PER_TARGET
#undef SDX_EXP_ROWS_PER_TARGET
#else
#define SDX_EXP_ROWS_PER_TARGET
#endif

HWY_BEFORE_NAMESPACE();
namespace sdx {
namespace HWY_NAMESPACE {

inline constexpr size_t kSumRun = 2048;  // terms that are added in float before their sum goes to double

// The first `count` elements, then minus infinity, which adds nothing.
template <class D>
HWY_INLINE hn::VFromD<D> load_first(D d, const float* x, size_t count) {
  return hn::IfThenElse(hn::FirstN(d, count), load_n(d, x, count), hn::Set(d, -HUGE_VALF));
}

// y = e^(x - top) and the sum of the exponentials; y null: the sum alone. Where the top is infinite, all is NaN.
HWY_INLINE double exp_row(const float* x, float top, float* y, size_t count) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const auto tops = hn::Set(d, top);
  double sum = 0;
  for (size_t run = 0; run < count; run += kSumRun) {
    const size_t end = HWY_MIN(run + kSumRun, count);
    auto a = hn::Zero(d), b = hn::Zero(d);
    size_t i = run;
    for (; i + 2 * lanes <= end; i += 2 * lanes) {
      const auto p = exp_below(d, hn::Sub(hn::LoadU(d, x + i), tops));
      const auto q = exp_below(d, hn::Sub(hn::LoadU(d, x + i + lanes), tops));
      a = hn::Add(a, p);
      b = hn::Add(b, q);
      if (y == nullptr) continue;
      hn::StoreU(p, d, y + i);
      hn::StoreU(q, d, y + i + lanes);
    }
    for (; i < end; i += lanes) {
      const auto p = exp_below(d, hn::Sub(load_first(d, x + i, end - i), tops));
      a = hn::Add(a, p);
      if (y != nullptr) store_n(p, d, y + i, end - i);
    }
    sum += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, hn::Add(a, b))));
  }
  return sum;
}

}  // namespace HWY_NAMESPACE
}  // namespace sdx
HWY_AFTER_NAMESPACE();

#endif  // per target
