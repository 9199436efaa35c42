#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/pool/index_steps.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

constexpr hn::ScalableTag<double> kF64;
constexpr hn::ScalableTag<int64_t> kI64;
using Values = hn::VFromD<decltype(kF64)>;
using Places = hn::VFromD<decltype(kI64)>;

// The next rows' places come after those that are there.
void index_down(const double* base, const int64_t* offsets, size_t rows, int64_t first, size_t count, double* best,
                int64_t* places) {
  const size_t lanes = hn::Lanes(kF64);
  for (size_t i = 0; i < count; i += lanes) {
    const size_t n = count - i;
    const Places columns = hn::Iota(kI64, first + static_cast<int64_t>(i));
    Values value = load_n(kF64, base + offsets[0] + i, n);
    Places place = hn::Add(columns, hn::Set(kI64, offsets[0]));
    for (size_t row = 1; row < rows; ++row) {
      const Values v = load_n(kF64, base + offsets[row] + i, n);
      const auto takes = hn::Or(hn::Gt(v, value), hn::AndNot(hn::IsNaN(value), hn::IsNaN(v)));
      value = hn::IfThenElse(takes, v, value);
      place = hn::IfThenElse(hn::RebindMask(kI64, takes), hn::Add(columns, hn::Set(kI64, offsets[row])), place);
    }
    store_n(value, kF64, best + i, n);
    store_n(place, kI64, places + i, n);
  }
}

// A vector of windows' elements at one place, `stride` apart.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE hn::VFromD<D> load_apart(D d, const T* from, size_t stride, Places steps) {
  if (stride == 1) return hn::LoadU(d, from);
  if (stride == 2) return hn::ConcatEven(d, hn::LoadU(d, from + hn::Lanes(d)), hn::LoadU(d, from));
  return hn::GatherIndex(d, from, steps);
}

void index_along(const double* best, const int64_t* places, size_t kernel, size_t stride, size_t dilation, size_t count,
                 double* y, int64_t* y_places) {
  const size_t lanes = hn::Lanes(kF64);
  const Places steps = hn::Mul(hn::Iota(kI64, 0), hn::Set(kI64, static_cast<int64_t>(stride)));
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const double* from = best + i * stride;
    const int64_t* from_places = places + i * stride;
    Values value = load_apart(kF64, from, stride, steps);
    Places place = load_apart(kI64, from_places, stride, steps);
    for (size_t k = 1; k < kernel; ++k) {
      const Values v = load_apart(kF64, from + k * dilation, stride, steps);
      const Places at = load_apart(kI64, from_places + k * dilation, stride, steps);
      const auto is_nan = hn::IsNaN(v), was_nan = hn::IsNaN(value);
      const auto equal = hn::RebindMask(kI64, hn::Or(hn::Eq(v, value), hn::And(is_nan, was_nan)));
      const auto better = hn::RebindMask(kI64, hn::Or(hn::Gt(v, value), hn::AndNot(was_nan, is_nan)));
      const auto takes = hn::Or(better, hn::And(equal, hn::Lt(at, place)));
      value = hn::IfThenElse(hn::RebindMask(kF64, takes), v, value);
      place = hn::IfThenElse(takes, at, place);
    }
    hn::StoreU(value, kF64, y + i);
    hn::StoreU(place, kI64, y_places + i);
  }
  for (; i < count; ++i) {
    double value = best[i * stride];
    int64_t place = places[i * stride];
    for (size_t k = 1; k < kernel; ++k) {
      const double v = best[i * stride + k * dilation];
      const int64_t at = places[i * stride + k * dilation];
      const bool is_nan = v != v, was_nan = value != value;
      const bool equal = v == value || (is_nan && was_nan);
      if (!(v > value) && !(is_nan && !was_nan) && !(equal && at < place)) continue;
      value = v;
      place = at;
    }
    y[i] = value;
    y_places[i] = place;
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

IndexSteps index_steps() { return {SDX_DISPATCH(index_down), SDX_DISPATCH(index_along)}; }

}  // namespace sdx::ops
#endif
