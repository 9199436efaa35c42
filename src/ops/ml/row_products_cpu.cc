// Rows of features by vectors, in double.
#include "base/simd_targets.h"  // first

#include <hwy/contrib/math/math-inl.h>

#include <cmath>

#include "kernel/simd.h"
#include "ops/ml/row_products.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

template <size_t kRows>
void dots_of_rows(const float* rows, const float* vectors, size_t count, size_t features, double* sums) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> half;
  const size_t lanes = hn::Lanes(d), whole = features / lanes * lanes, left = features - whole;
  for (size_t v = 0; v < count; ++v, vectors += features) {
    hn::VFromD<decltype(d)> sum[kRows];
    for (auto& one : sum) one = hn::Zero(d);
    for (size_t f = 0; f < whole; f += lanes) {
      const auto b = hn::PromoteTo(d, hn::LoadU(half, vectors + f));
      HWY_UNROLL(4)
      for (size_t r = 0; r < kRows; ++r)
        sum[r] = hn::MulAdd(hn::PromoteTo(d, hn::LoadU(half, rows + r * features + f)), b, sum[r]);
    }
    if (left > 0) {
      const auto b = hn::PromoteTo(d, load_n(half, vectors + whole, left));
      HWY_UNROLL(4)
      for (size_t r = 0; r < kRows; ++r)
        sum[r] = hn::MulAdd(hn::PromoteTo(d, load_n(half, rows + r * features + whole, left)), b, sum[r]);
    }
    HWY_UNROLL(4)
    for (size_t r = 0; r < kRows; ++r) sums[r * count + v] = hn::GetLane(hn::SumOfLanes(d, sum[r]));
  }
}

void dots(const float* rows, size_t row_count, const float* vectors, size_t count, size_t features, double* sums) {
  size_t r = 0;
  for (; r + 4 <= row_count; r += 4) dots_of_rows<4>(rows + r * features, vectors, count, features, sums + r * count);
  for (; r < row_count; ++r) dots_of_rows<1>(rows + r * features, vectors, count, features, sums + r * count);
}

double weighted_sum(const float* weights, const double* values, size_t count) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> half;
  const size_t lanes = hn::Lanes(d);
  auto even = hn::Zero(d), odd = hn::Zero(d);
  size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    even = hn::MulAdd(hn::PromoteTo(d, hn::LoadU(half, weights + i)), hn::LoadU(d, values + i), even);
    odd = hn::MulAdd(hn::PromoteTo(d, hn::LoadU(half, weights + i + lanes)), hn::LoadU(d, values + i + lanes), odd);
  }
  for (; i < count; i += lanes)
    even = hn::MulAdd(hn::PromoteTo(d, load_n(half, weights + i, count - i)), load_n(d, values + i, count - i), even);
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
}

// e^x, where hn::Exp is not made for some x by the C library.
template <class D, class V>
HWY_INLINE V exp_of_any(D d, V x) {
  const V bound = hn::Set(d, 700.0);
  if (HWY_LIKELY(hn::AllTrue(d, hn::Le(hn::Abs(x), bound)))) return hn::Exp(d, x);
  HWY_ALIGN double values[hn::MaxLanes(D())];
  hn::Store(x, d, values);
  for (double& value : values) value = std::exp(value);
  return hn::Load(d, values);
}

// What the kernel makes of sums of products, or of squared differences.
void finish(const ops::SvmForm& form, double* values, size_t count) {
  const hn::ScalableTag<double> d;
  const size_t lanes = hn::Lanes(d);
  const auto gamma = hn::Set(d, form.gamma), coef0 = hn::Set(d, form.coef0);
  if (form.kernel == ops::SvmKernel::rbf) {
    for (size_t i = 0; i < count; i += lanes)
      hn::StoreU(exp_of_any(d, hn::Neg(hn::Mul(gamma, hn::LoadU(d, values + i)))), d, values + i);
    return;
  }
  if (form.kernel == ops::SvmKernel::linear) return;
  const bool whole = form.degree >= 1 && form.degree <= 8 && form.degree == std::floor(form.degree);
  for (size_t i = 0; i < count; i += lanes) {
    auto v = hn::MulAdd(gamma, hn::LoadU(d, values + i), coef0);
    if (form.kernel == ops::SvmKernel::poly && whole) {
      const auto base = v;
      for (int power = 1; power < static_cast<int>(form.degree); ++power) v = hn::Mul(v, base);
    }
    hn::StoreU(v, d, values + i);
  }
  if (form.kernel == ops::SvmKernel::sigmoid) {
    for (size_t i = 0; i < count; ++i) values[i] = std::tanh(values[i]);
  } else if (!whole) {
    for (size_t i = 0; i < count; ++i) values[i] = std::pow(values[i], form.degree);
  }
}

template <bool kDistances>
void sum_columns(const float* row, const ops::FeatureColumns& vectors, double* values) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> half;
  const size_t lanes = hn::Lanes(d);
  constexpr size_t kVectors = 4;
  for (size_t i = 0; i < vectors.lanes; i += kVectors * lanes) {
    hn::VFromD<decltype(d)> sum[kVectors];
    for (auto& one : sum) one = hn::Zero(d);
    const float* column = vectors.columns.data() + i;
    for (size_t f = 0; f < vectors.features; ++f, column += vectors.lanes) {
      const auto x = hn::Set(d, static_cast<double>(row[f]));
      HWY_UNROLL(4)
      for (size_t v = 0; v < kVectors; ++v) {
        auto element = hn::PromoteTo(d, hn::LoadU(half, column + v * lanes));
        if constexpr (kDistances) {
          element = hn::Sub(x, element);
          sum[v] = hn::MulAdd(element, element, sum[v]);
        } else {
          sum[v] = hn::MulAdd(x, element, sum[v]);
        }
      }
    }
    for (size_t v = 0; v < kVectors; ++v) hn::StoreU(sum[v], d, values + i + v * lanes);
  }
}

void svm_values(const ops::SvmForm& form, const float* row, const ops::FeatureColumns& vectors, double* values) {
  if (form.kernel == ops::SvmKernel::rbf) {
    sum_columns<true>(row, vectors, values);
  } else {
    sum_columns<false>(row, vectors, values);
  }
  finish(form, values, vectors.lanes);
}

constexpr ops::RowProducts kProducts = {dots, weighted_sum, svm_values};
const ops::RowProducts* products() { return &kProducts; }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

const RowProducts& row_products() { return *SDX_DISPATCH(products)(); }

FeatureColumns feature_columns(const float* vectors, size_t count, size_t features) {
  constexpr size_t kLanes = 32;  // four vectors of eight
  FeatureColumns made{count, features, (count + kLanes - 1) / kLanes * kLanes, {}};
  made.columns.resize(made.lanes * features);
  for (size_t i = 0; i < count; ++i)
    for (size_t f = 0; f < features; ++f) made.columns[f * made.lanes + i] = vectors[i * features + f];
  return made;
}

}  // namespace sdx::ops
#endif
