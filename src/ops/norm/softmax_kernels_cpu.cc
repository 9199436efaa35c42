// Softmax and LogSoftmax of float32: rows along the innermost axis, tiles of columns along outer ones.
#include "base/simd_targets.h"  // first

#include <cmath>

#include "ops/elementwise.h"
#include "ops/exp_rows-inl.h"
#include "ops/norm/softmax_kernels.h"
#include "ops/reduce/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

constexpr size_t kTile = 64;  // columns

// The largest element. It may pass over NaN, which then is in the sum of the exponentials.
HWY_INLINE float row_top(const float* x, size_t count) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  auto best = hn::Set(d, -HUGE_VALF), other = best;
  size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    best = hn::Max(best, hn::LoadU(d, x + i));
    other = hn::Max(other, hn::LoadU(d, x + i + lanes));
  }
  for (; i < count; i += lanes) best = hn::Max(best, load_first(d, x + i, count - i));
  return hn::GetLane(hn::MaxOfLanes(d, hn::Max(best, other)));
}

void softmax_row(const float* x, float* y, size_t count) {
  const hn::ScalableTag<float> d;
  if (count <= hn::Lanes(d)) {
    const auto v = load_first(d, x, count);
    const auto e = exp_below(d, hn::Sub(v, hn::MaxOfLanes(d, v)));
    return store_n(hn::Div(e, hn::SumOfLanes(d, e)), d, y, count);
  }
  const auto factor = hn::Set(d, static_cast<float>(1 / exp_row(x, row_top(x, count), y, count)));
  for (size_t i = 0; i < count; i += hn::Lanes(d))
    store_n(hn::Mul(load_n(d, y + i, count - i), factor), d, y + i, count - i);
}

void log_softmax_row(const float* x, float* y, size_t count) {
  const hn::ScalableTag<float> d;
  if (count <= hn::Lanes(d)) {
    const auto v = load_first(d, x, count);
    const auto below = hn::Sub(v, hn::MaxOfLanes(d, v));
    const auto log_sum = log_of(d, hn::SumOfLanes(d, exp_below(d, below)));
    return store_n(hn::Sub(below, log_sum), d, y, count);
  }
  const float top = row_top(x, count);
  const auto tops = hn::Set(d, top);
  const auto log_sum = log_of(d, hn::Set(d, static_cast<float>(exp_row(x, top, nullptr, count))));
  for (size_t i = 0; i < count; i += hn::Lanes(d))
    store_n(hn::Sub(hn::Sub(load_n(d, x + i, count - i), tops), log_sum), d, y + i, count - i);
}

// Of a row in 16 bits, whose every step is rounded to them:
// x -= top
void subtract(float* x, float top, size_t count) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d))
    store_n(hn::Sub(load_n(d, x + i, count - i), hn::Set(d, top)), d, x + i, count - i);
}
// Two numbers around e^x, further from it than the error of either.
void exp_bounds(const float* x, float* low, float* high, size_t count) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto e = exp_below(d, load_n(d, x + i, count - i));
    store_n(hn::Mul(e, hn::Set(d, 1 - 1e-6f)), d, low + i, count - i);
    store_n(hn::Mul(e, hn::Set(d, 1 + 1e-6f)), d, high + i, count - i);
  }
}
double row_total(const float* x, size_t count) {
  return sum_row(x, count, [](auto v) HWY_ATTR { return v; });
}
void divide(float* x, float by, size_t count) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d))
    store_n(hn::Div(load_n(d, x + i, count - i), hn::Set(d, by)), d, x + i, count - i);
}

// Largest elements of the columns, NaN as in row_top.
HWY_INLINE void column_tops(const float* x, int64_t size, int64_t stride, size_t width, float* tops) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < width; i += hn::Lanes(d)) {
    auto best = load_n(d, x + i, width - i);
    auto bad = hn::IsNaN(best);
    for (int64_t k = 1; k < size; ++k) {
      const auto v = load_n(d, x + k * stride + static_cast<int64_t>(i), width - i);
      bad = hn::Or(bad, hn::IsNaN(v));
      best = hn::Max(best, v);
    }
    bad = hn::Or(bad, hn::Eq(hn::Abs(best), hn::Set(d, HUGE_VALF)));
    hn::Store(hn::IfThenElse(bad, hn::NaN(d), best), d, tops + i);
  }
}

// Columns of a [size, stride] matrix, `width` (at most kTile) of them.
template <bool kLog>
HWY_INLINE void softmax_tile(const float* x, float* y, int64_t size, int64_t stride, size_t width) {
  const hn::ScalableTag<float> d;
  HWY_ALIGN float tops[kTile + hn::MaxLanes(d)];
  column_tops(x, size, stride, width, tops);
  for (size_t i = 0; i < width; i += hn::Lanes(d)) {
    const auto top = hn::Load(d, tops + i);
    auto sum = hn::Zero(d);
    for (int64_t k = 0; k < size; ++k) {
      const int64_t at = k * stride + static_cast<int64_t>(i);
      const auto e = exp_below(d, hn::Sub(load_n(d, x + at, width - i), top));
      sum = hn::Add(sum, e);
      if (!kLog) store_n(e, d, y + at, width - i);
    }
    // A column without a top becomes NaN through this factor or term.
    const auto wrong = hn::IsNaN(top);
    auto last = kLog ? log_of(d, sum) : hn::Div(hn::Set(d, 1.0f), sum);
    last = hn::IfThenElse(wrong, top, last);
    for (int64_t k = 0; k < size; ++k) {
      const int64_t at = k * stride + static_cast<int64_t>(i);
      const auto v = load_n(d, (kLog ? x : y) + at, width - i);
      store_n(kLog ? hn::Sub(hn::Sub(v, top), last) : hn::Mul(v, last), d, y + at, width - i);
    }
  }
}

void softmax_columns(const float* x, float* y, int64_t size, int64_t stride, size_t width) {
  softmax_tile<false>(x, y, size, stride, width);
}
void log_softmax_columns(const float* x, float* y, int64_t size, int64_t stride, size_t width) {
  softmax_tile<true>(x, y, size, stride, width);
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

HalfSoftmaxSteps half_softmax_steps() {
  return {SDX_DISPATCH(subtract), SDX_DISPATCH(exp_bounds), SDX_DISPATCH(row_total), SDX_DISPATCH(divide)};
}

Status run_log_softmax_f32(KernelContext& ctx, const AxisView& view, const float* x, float* y) {
  return run_along_axis(ctx, view, x, y, SDX_DISPATCH(log_softmax_row), SDX_DISPATCH(log_softmax_columns));
}

Status run_softmax_f32(KernelContext& ctx, SoftmaxKind kind) {
  const Tensor& x = ctx.input(0);
  if (x.count() == 0) return {};
  if (kind == SoftmaxKind::log)
    return run_log_softmax_f32(ctx, softmax_view(ctx), x.data<float>(), ctx.output(0).data<float>());
  return run_along_axis(ctx, SDX_DISPATCH(softmax_row), SDX_DISPATCH(softmax_columns));
}

}  // namespace sdx::ops
#endif
