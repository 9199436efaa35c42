#include "base/simd_targets.h"  // first

#include <cmath>

#include "ops/norm/row_kernels.h"
#include "ops/reduce/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct PlainTerm {
  template <class V>
  HWY_INLINE V operator()(V v) const {
    return v;
  }
};
struct SquareFromTerm {
  double center;
  template <class V>
  HWY_INLINE V operator()(V v) const {
    const auto difference = hn::Sub(v, hn::Set(DoubleTag(), center));
    return hn::Mul(difference, difference);
  }
};

ops::RowMoments row_moments(const float* x, size_t count) {
  const auto n = static_cast<double>(count);
  const double mean = sum_row(x, count, PlainTerm()) / n;
  return {mean, sum_row(x, count, SquareFromTerm{mean}) / n};
}

double row_mean_square(const float* x, size_t count) {
  return sum_row(x, count, Squared()) / static_cast<double>(count);
}

// Whether float arithmetic with these loses nothing to overflow or to subnormal numbers.
bool fits_float(double center, double factor) {
  const double size = std::fabs(factor);
  return std::fabs(center) < 1e18 && size > 1e-18 && size < 1e18;
}

// In double, for values at the ends of float's range.
void row_apply_wide(const float* x, double center, double factor, const float* scale, const float* bias, float* y,
                    size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const double normalized = (static_cast<double>(x[i]) - center) * factor;
    const double scaled = scale != nullptr ? normalized * static_cast<double>(scale[i]) : normalized;
    y[i] = static_cast<float>(scaled + (bias != nullptr ? static_cast<double>(bias[i]) : 0));
  }
}

// The center is subtracted in two floats, so that a large mean costs no digits.
void row_apply(const float* x, double center, double factor, const float* scale, const float* bias, float* y,
               size_t count) {
  if (!fits_float(center, factor)) return row_apply_wide(x, center, factor, scale, bias, y, count);
  const hn::ScalableTag<float> d;
  const auto high = static_cast<float>(center);
  const auto highs = hn::Set(d, high), lows = hn::Set(d, static_cast<float>(center - static_cast<double>(high)));
  const auto factors = hn::Set(d, static_cast<float>(factor));
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const size_t n = count - i;
    const auto normalized = hn::Mul(hn::Sub(hn::Sub(load_n(d, x + i, n), highs), lows), factors);
    const auto scales = load_n(d, scale + i, n);
    const auto result =
        bias != nullptr ? hn::MulAdd(normalized, scales, load_n(d, bias + i, n)) : hn::Mul(normalized, scales);
    store_n(result, d, y + i, n);
  }
}

void row_apply_scalars(const float* x, double center, double factor, double bias, float* y, size_t count) {
  if (!fits_float(center, factor) && factor != 0) {
    for (size_t i = 0; i < count; ++i) y[i] = static_cast<float>((static_cast<double>(x[i]) - center) * factor + bias);
    return;
  }
  const hn::ScalableTag<float> d;
  const auto high = static_cast<float>(center);
  const auto highs = hn::Set(d, high), lows = hn::Set(d, static_cast<float>(center - static_cast<double>(high)));
  const auto factors = hn::Set(d, static_cast<float>(factor)), biases = hn::Set(d, static_cast<float>(bias));
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto difference = hn::Sub(hn::Sub(load_n(d, x + i, count - i), highs), lows);
    store_n(hn::MulAdd(difference, factors, biases), d, y + i, count - i);
  }
}

void row_add(const float* a, const float* b, const float* c, float* y, size_t count) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    auto sum = hn::Add(load_n(d, a + i, count - i), load_n(d, b + i, count - i));
    if (c != nullptr) sum = hn::Add(sum, load_n(d, c + i, count - i));
    store_n(sum, d, y + i, count - i);
  }
}

void scale_columns(const float* x, const float* centers, const float* factors, const float* biases, float* y,
                   size_t count) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const size_t n = count - i;
    const auto difference = hn::Sub(load_n(d, x + i, n), load_n(d, centers + i, n));
    store_n(hn::MulAdd(difference, load_n(d, factors + i, n), load_n(d, biases + i, n)), d, y + i, n);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

RowKernels row_kernels() {
  return {SDX_DISPATCH(row_moments),       SDX_DISPATCH(row_mean_square), SDX_DISPATCH(row_apply),
          SDX_DISPATCH(row_apply_scalars), SDX_DISPATCH(row_add),         SDX_DISPATCH(scale_columns)};
}

}  // namespace sdx::ops
#endif
