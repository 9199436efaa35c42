// ArgMax and ArgMin of float32, along the innermost axis and along outer ones.
#include "base/simd_targets.h"  // first

#include <cmath>

#include "kernel/simd.h"
#include "ops/elementwise.h"
#include "ops/reduce/arg_reduction.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// Minima are maxima of the negated values.
template <bool kMin, class D>
HWY_INLINE hn::VFromD<D> load_signed(D d, const float* x, size_t count) {
  const auto v = load_n(d, x, count);
  return kMin ? hn::Neg(v) : v;
}

template <bool kMin>
HWY_INLINE int64_t arg_row(const float* x, size_t count, bool last) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  auto best = load_signed<kMin>(d, x, 1);
  best = hn::Set(d, hn::GetLane(best));
  auto bad = hn::IsNaN(best);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto v = load_signed<kMin>(d, x + i, lanes);
    bad = hn::Or(bad, hn::IsNaN(v));
    best = hn::Max(best, v);
  }
  HWY_ALIGN float buffer[hn::MaxLanes(d)];
  hn::Store(best, d, buffer);
  float top = buffer[0];
  for (size_t k = 1; k < lanes; ++k) top = HWY_MAX(top, buffer[k]);
  bool nan = !hn::AllFalse(d, bad);
  for (; i < count; ++i) {
    const float v = kMin ? -x[i] : x[i];
    nan = nan || std::isnan(v);
    top = HWY_MAX(top, v);
  }
  const auto wanted = [&](size_t k) { return nan ? std::isnan(x[k]) : (kMin ? -x[k] : x[k]) == top; };
  if (last) {
    for (size_t k = count; k-- > 0;)
      if (wanted(k)) return static_cast<int64_t>(k);
    return 0;
  }
  if (!nan) {
    const auto tops = hn::Set(d, top);
    for (size_t k = 0; k + lanes <= count; k += lanes) {
      const auto equal = hn::Eq(load_signed<kMin>(d, x + k, lanes), tops);
      if (!hn::AllFalse(d, equal)) return static_cast<int64_t>(k) + hn::FindFirstTrue(d, equal);
    }
  }
  for (size_t k = 0; k < count; ++k)
    if (wanted(k)) return static_cast<int64_t>(k);
  return 0;
}

// Columns [begin, end) of a [size, inner] matrix, a vector of them at a time.
template <bool kMin>
HWY_INLINE void arg_columns(const float* x, const ops::ArgColumns& columns, bool last, int64_t* y) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  HWY_ALIGN int32_t buffer[hn::MaxLanes(di)];
  for (int64_t column = columns.begin; column < columns.end; column += lanes) {
    const auto count = static_cast<size_t>(columns.end - column);
    auto best = load_signed<kMin>(d, x + column, count);
    auto at = hn::Zero(di);
    for (int64_t k = 1; k < columns.size; ++k) {
      const auto v = load_signed<kMin>(d, x + k * columns.inner + column, count);
      const auto nan = hn::IsNaN(v);
      const auto takes =
          last ? hn::Or(hn::Ge(v, best), nan) : hn::Or(hn::Gt(v, best), hn::AndNot(hn::IsNaN(best), nan));
      best = hn::IfThenElse(takes, v, best);
      at = hn::IfThenElse(hn::RebindMask(di, takes), hn::Set(di, static_cast<int32_t>(k)), at);
    }
    hn::Store(at, di, buffer);
    for (int64_t i = 0; i < HWY_MIN(lanes, columns.end - column); ++i) y[column + i] = buffer[i];
  }
}

int64_t row_max(const float* x, size_t n, bool last) { return arg_row<false>(x, n, last); }
int64_t row_min(const float* x, size_t n, bool last) { return arg_row<true>(x, n, last); }
void columns_max(const float* x, const ops::ArgColumns& columns, bool last, int64_t* y) {
  arg_columns<false>(x, columns, last, y);
}
void columns_min(const float* x, const ops::ArgColumns& columns, bool last, int64_t* y) {
  arg_columns<true>(x, columns, last, y);
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

Status run_arg_reduction_f32(KernelContext& ctx, ArgKind kind) {
  const AxisView view = arg_view(ctx);
  if (view.size >= INT32_MAX) return reference_arg_reduction(ctx, kind);
  const bool last = ctx.attr_int("select_last_index", 0) != 0, smallest = kind == ArgKind::min;
  const float* x = ctx.input(0).data<float>();
  auto* y = ctx.output(0).data<int64_t>();
  const int64_t work = std::max<int64_t>(1, view.size * view.inner);
  const auto row = smallest ? SDX_DISPATCH(row_min) : SDX_DISPATCH(row_max);
  const auto columns = smallest ? SDX_DISPATCH(columns_min) : SDX_DISPATCH(columns_max);
  if (view.inner > 1) {
    // Strips of whole cache lines, about a block's work each.
    const int64_t strip = std::max<int64_t>(64, kElementwiseGrain / std::max<int64_t>(view.size, 1) / 64 * 64);
    const int64_t strips = (view.inner + strip - 1) / strip;
    return parallel_ranges(
        ctx, view.outer * strips, std::max<int64_t>(1, kElementwiseGrain / work), [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const int64_t plane = i / strips, first = i % strips * strip;
            columns(x + plane * work, {view.size, view.inner, first, std::min(first + strip, view.inner)}, last,
                    y + plane * view.inner);
          }
        });
  }
  return parallel_ranges(ctx, view.outer, std::max<int64_t>(1, kElementwiseGrain / work),
                         [&](int64_t begin, int64_t end) {
                           for (int64_t i = begin; i < end; ++i)
                             y[i] = row(x + i * work, static_cast<size_t>(view.size), last);
                         });
}

}  // namespace sdx::ops
#endif
