// LpNormalization for float32, and 16-bit floats through it: rows along the innermost axis, tiles of columns along
// outer ones. Norms are kept in double.
#include "base/simd_targets.h"  // first

#include <cmath>

#include "ops/elementwise.h"
#include "ops/norm/softmax_family.h"
#include "ops/reduce/sums-inl.h"
#include "ops/through_f32.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// x / norm, 0 where the norm is 0. In double where the norm is at an end of float's range.
void divide_row(const float* x, double norm, float* y, size_t count) {
  const hn::ScalableTag<float> d;
  const bool fits = norm > 1e-30 && norm < 1e30;
  if (!fits) {
    for (size_t i = 0; i < count; ++i) y[i] = norm == 0 ? 0.0f : static_cast<float>(static_cast<double>(x[i]) / norm);
    return;
  }
  const auto factor = hn::Set(d, static_cast<float>(1 / norm));
  for (size_t i = 0; i < count; i += hn::Lanes(d))
    store_n(hn::Mul(load_n(d, x + i, count - i), factor), d, y + i, count - i);
}

void l1_row(const float* x, float* y, size_t count) { divide_row(x, sum_row(x, count, Magnitude()), y, count); }
void l2_row(const float* x, float* y, size_t count) {
  divide_row(x, std::sqrt(sum_row(x, count, Squared())), y, count);
}

// Columns of a [size, step] matrix, `width` of them.
template <class F, class Norm>
HWY_INLINE void lp_columns(const float* x, float* y, int64_t size, int64_t step, size_t width, F f, Norm norm_of) {
  const DoubleTag d;
  const HalfTag half;
  for (size_t i = 0; i < width; i += hn::Lanes(d)) {
    const size_t n = width - i;
    auto sum = hn::Zero(d);
    for (int64_t k = 0; k < size; ++k) sum = hn::Add(sum, f(load_as_double(x + k * step + static_cast<int64_t>(i), n)));
    const auto norm = norm_of(sum);
    const auto factor = hn::IfThenZeroElse(hn::Eq(norm, hn::Zero(d)), hn::Div(hn::Set(d, 1.0), norm));
    for (int64_t k = 0; k < size; ++k) {
      const int64_t at = k * step + static_cast<int64_t>(i);
      store_n(hn::DemoteTo(half, hn::Mul(load_as_double(x + at, n), factor)), half, y + at, n);
    }
  }
}

void l1_columns(const float* x, float* y, int64_t size, int64_t step, size_t width) {
  lp_columns(x, y, size, step, width, Magnitude(), [](auto v) HWY_ATTR { return v; });
}
void l2_columns(const float* x, float* y, int64_t size, int64_t step, size_t width) {
  lp_columns(x, y, size, step, width, Squared(), [](auto v) HWY_ATTR { return hn::Sqrt(v); });
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

Status run_lp_normalization_f32(KernelContext& ctx) {
  if (ctx.input(0).count() == 0) return {};
  const bool magnitudes = ctx.attr_int("p", 2) == 1;
  return run_along_axis(ctx, magnitudes ? SDX_DISPATCH(l1_row) : SDX_DISPATCH(l2_row),
                        magnitudes ? SDX_DISPATCH(l1_columns) : SDX_DISPATCH(l2_columns));
}

}  // namespace

SDX_CPU_KERNELS(lp_normalization,
                {.name = "lp_normalization_f32", .can_run = takes<DType::f32>, .run = run_lp_normalization_f32},
                {.name = "lp_normalization_half",
                 .can_run = takes_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_lp_normalization_f32); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
#endif
