// Reductions of float32: sums and products in double, the largest and the least as they are; these of double too.
#include "base/simd_targets.h"  // first

#include <cmath>

#include "ops/reduce/reduction_tasks.h"
#include "ops/reduce/reductions-inl.h"
#include "ops/reduce/row_sums.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

constexpr hn::ScalableTag<double> kF64;
constexpr hn::Rebind<float, hn::ScalableTag<double>> kF32;  // as many floats as a vector has doubles

// y[i] = f(results[i])
template <class F>
HWY_INLINE void finish_by(const double* results, size_t count, float* y, F f) {
  for (size_t i = 0; i < count; i += hn::Lanes(kF64))
    store_n(hn::DemoteTo(kF32, f(load_n(kF64, results + i, count - i))), kF32, y + i, count - i);
}

void finish_plain(const double* results, size_t n, double, float* y) { finish_by(results, n, y, AsIs()); }
void finish_mean(const double* results, size_t n, double size, float* y) {
  finish_by(results, n, y, [size](auto v) HWY_ATTR { return hn::Div(v, hn::Set(kF64, size)); });
}
void finish_root(const double* results, size_t n, double, float* y) {
  finish_by(results, n, y, [](auto v) HWY_ATTR { return hn::Sqrt(v); });
}
// log v = log f + log(v / f) for the float f next to v, where there is one; else by the library.
void finish_log(const double* results, size_t n, double, float* y) {
  size_t i = 0;
  for (; i + hn::Lanes(kF64) <= n; i += hn::Lanes(kF64)) {
    const auto v = hn::LoadU(kF64, results + i);
    const auto inside = hn::And(hn::Gt(v, hn::Set(kF64, 1e-37)), hn::Lt(v, hn::Set(kF64, 1e38)));
    if (!hn::AllTrue(kF64, inside)) {
      for (size_t k = i; k < i + hn::Lanes(kF64); ++k) y[k] = static_cast<float>(std::log(results[k]));
      continue;
    }
    const auto near = hn::DemoteTo(kF32, v);
    const auto wide = hn::PromoteTo(kF64, near);
    const auto rest = hn::DemoteTo(kF32, hn::Div(hn::Sub(v, wide), wide));
    hn::StoreU(hn::Add(log_of(kF32, near), rest), kF32, y + i);
  }
  for (; i < n; ++i) y[i] = static_cast<float>(std::log(results[i]));
}

template <class Op>
ops::ReductionSteps<float, double> in_double(void (*finish)(const double*, size_t, double, float*)) {
  return {.row = reduce_row<Op, float, double>,
          .short_rows = reduce_short_rows<Op, float, double>,
          .columns = reduce_columns<Op, float, double>,
          .combine = Op::template combine<double>,
          .finish = finish,
          .start = Op::template start<double>()};
}

ops::ReductionSteps<float, double> sums(ops::Reduction kind) {
  using ops::Reduction;
  switch (kind) {
    case Reduction::mean: return in_double<Plus<AsIs>>(finish_mean);
    case Reduction::l1: return in_double<Plus<Magnitude>>(finish_plain);
    case Reduction::l2: return in_double<Plus<Squared>>(finish_root);
    case Reduction::sum_square: return in_double<Plus<Squared>>(finish_plain);
    case Reduction::prod: return in_double<Times>(finish_plain);
    case Reduction::log_sum: return in_double<Plus<AsIs>>(finish_log);
    default: return in_double<Plus<AsIs>>(finish_plain);
  }
}

template <typename T>
void copy_results(const T* results, size_t n, double, T* y) {
  std::memcpy(y, results, n * sizeof(T));
}

template <class Op, typename T>
ops::ReductionSteps<T, T> best_of() {
  return {.row = reduce_row<Op, T, T>,
          .short_rows = reduce_short_rows<Op, T, T>,
          .columns = reduce_columns<Op, T, T>,
          .combine = Op::template combine<T>,
          .finish = copy_results<T>,
          .start = Op::template start<T>()};
}
ops::ReductionSteps<float, float> largest() { return best_of<Larger, float>(); }
ops::ReductionSteps<float, float> least() { return best_of<Smaller, float>(); }
ops::ReductionSteps<double, double> largest_f64() { return best_of<Larger, double>(); }
ops::ReductionSteps<double, double> least_f64() { return best_of<Smaller, double>(); }

double row_magnitudes(const float* x, size_t count) { return reduce_row<Plus<Magnitude>, float, double>(x, count); }
double row_squares(const float* x, size_t count) { return reduce_row<Plus<Squared>, float, double>(x, count); }
float row_max(const float* x, size_t count) { return reduce_row<Larger, float, float>(x, count); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

RowSumsF32 row_sums_f32() { return {SDX_DISPATCH(row_magnitudes), SDX_DISPATCH(row_squares)}; }
RowMaxF32 row_max_f32() { return SDX_DISPATCH(row_max); }

Status run_reduction_f32(KernelContext& ctx, Reduction kind) {
  if (kind == Reduction::max) return run_reduction(ctx, SDX_DISPATCH(largest)());
  if (kind == Reduction::min) return run_reduction(ctx, SDX_DISPATCH(least)());
  return run_reduction(ctx, SDX_DISPATCH(sums)(kind));
}

Status run_best_f64(KernelContext& ctx, Reduction kind) {
  return run_reduction(ctx, kind == Reduction::max ? SDX_DISPATCH(largest_f64)() : SDX_DISPATCH(least_f64)());
}

// A result an output and segment: there are segments only where tiles of 256 outputs have many elements behind them.
Dim reduction_scratch(const ScratchFacts& facts) {
  ScratchSize size(facts);
  const Dim segments = facts.symbols.floor_div(size.input_count(0), Dim(kReductionSegment / kReductionColumns / 2));
  return size.part(facts.symbols.add(size.output_count(0), segments), sizeof(double)).bytes();
}

}  // namespace sdx::ops
#endif
