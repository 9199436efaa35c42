// ReduceLogSumExp for float32, and 16-bit floats through it: rows where the innermost dimension is reduced, columns
// where it is kept. The largest element is taken out first; exponentials are added in float, some at a time, then in
// double.
#include "base/simd_targets.h"  // first

#include <cmath>

#include "ops/elementwise.h"
#include "ops/exp_rows-inl.h"
#include "ops/reduce/reduction.h"
#include "ops/reduce/reductions-inl.h"
#include "ops/through_f32.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

constexpr size_t kRowRun = 256;  // rows, of columns

float largest_of_row(const float* x, size_t count) { return reduce_row<Larger, float, float>(x, count); }

double exp_sum_of_row(const float* x, float top, size_t count) { return exp_row(x, top, nullptr, count); }

// Short rows one after another: a lane is a row. Infinite tops are the result, and so is NaN.
void short_rows(const float* x, size_t size, size_t rows, float* y) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const size_t lanes = hn::Lanes(d);
  const auto at = hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<int32_t>(size)));
  for (size_t r = 0; r < rows; r += lanes) {
    // The last rows are made with others before them.
    const size_t first = r + lanes <= rows ? r : rows - lanes;
    const auto element = [&](size_t k) HWY_ATTR { return hn::GatherIndex(d, x + first * size + k, at); };
    auto top = element(0);
    for (size_t k = 1; k < size; ++k) top = Larger()(element(k), top);
    auto sum = hn::Zero(d);
    for (size_t k = 0; k < size; ++k) sum = hn::Add(sum, exp_below(d, hn::Sub(element(k), top)));
    const auto result = hn::Add(top, log_of(d, sum));
    hn::StoreU(hn::IfThenElse(hn::IsFinite(top), result, top), d, y + first);
  }
}
size_t rows_at_once() { return hn::Lanes(hn::ScalableTag<float>()); }

void largest_of_columns(const float* x, size_t rows, size_t step, size_t count, float* tops) {
  reduce_columns<Larger>(x, rows, step, count, tops);
}

// sums[c] += the sum of e^(x[row * step + c] - tops[c])
void exp_sums_of_columns(const float* x, size_t rows, size_t step, size_t count, const float* tops, double* sums) {
  const hn::ScalableTag<float> d;
  HWY_ALIGN float buffer[hn::MaxLanes(d)];
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const size_t n = HWY_MIN(hn::Lanes(d), count - i);
    const auto top = load_n(d, tops + i, n);
    for (size_t row = 0; row < rows; row += kRowRun) {
      auto sum = hn::Zero(d);
      for (size_t k = row; k < HWY_MIN(row + kRowRun, rows); ++k)
        sum = hn::Add(sum, exp_below(d, hn::Sub(load_n(d, x + k * step + i, n), top)));
      hn::Store(sum, d, buffer);
      for (size_t k = 0; k < n; ++k) sums[i + k] += static_cast<double>(buffer[k]);
    }
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

constexpr int64_t kColumns = 64;
constexpr int64_t kShortRow = 16;  // up to here vectors go across rows
constexpr int64_t kBlockWork = 4096;

// Infinite tops are the result, and so is NaN.
float finish(float top, double sum) {
  return std::isfinite(top) ? static_cast<float>(static_cast<double>(top) + std::log(sum)) : top;
}

// Calls f(first element's offset, rows, step) for the rows behind one output, those in one distance from each other
// together.
template <typename F>
void each_level(const ReductionPlan& plan, F f) {
  const auto reduced = plan.reduced();
  const ReductionPlan::Level inner = reduced.empty() ? ReductionPlan::Level{1, 0} : reduced.back();
  for (int64_t row = 0; row < plan.size(); row += inner.size)
    f(plan.element(row), static_cast<size_t>(inner.size), static_cast<size_t>(inner.stride));
}

Status run_rows(KernelContext& ctx, const ReductionPlan& plan) {
  const float* x = ctx.input(0).data<float>();
  float* y = ctx.output(0).data<float>();
  const auto largest = SDX_DISPATCH(largest_of_row);
  const auto exp_sum = SDX_DISPATCH(exp_sum_of_row);
  const auto kept = plan.kept();
  if (plan.size() <= kShortRow && kept.size() == 1 && kept[0].stride == plan.size()) {
    const auto shorts = SDX_DISPATCH(short_rows);
    const int64_t size = plan.size(), each = static_cast<int64_t>(SDX_DISPATCH(rows_at_once)());
    if (plan.outputs() >= each)
      return parallel_ranges(ctx, plan.outputs() / each, kBlockWork / each / size, [&](int64_t begin, int64_t end) {
        const int64_t first = begin * each, last = end == plan.outputs() / each ? plan.outputs() : end * each;
        shorts(x + first * size, static_cast<size_t>(size), static_cast<size_t>(last - first), y + first);
      });
  }
  return parallel_ranges(ctx, plan.outputs(), std::max<int64_t>(1, kBlockWork / plan.size()),
                         [&](int64_t begin, int64_t end) {
                           for (int64_t i = begin; i < end; ++i) {
                             const float* first = x + plan.first_of(i);
                             float top = -std::numeric_limits<float>::infinity();
                             double sum = 0;
                             each_level(plan, [&](int64_t at, size_t count, size_t) {
                               const float v = largest(first + at, count);
                               if (std::isnan(v) || v > top) top = v;
                             });
                             each_level(plan, [&](int64_t at, size_t count, size_t) {
                               if (std::isfinite(top)) sum += exp_sum(first + at, top, count);
                             });
                             y[i] = finish(top, sum);
                           }
                         });
}

Status run_columns(KernelContext& ctx, const ReductionPlan& plan) {
  const float* x = ctx.input(0).data<float>();
  float* y = ctx.output(0).data<float>();
  const auto largest = SDX_DISPATCH(largest_of_columns);
  const auto exp_sums = SDX_DISPATCH(exp_sums_of_columns);
  const int64_t width = plan.kept().empty() ? 1 : plan.kept().back().size;
  const int64_t tiles = (width + kColumns - 1) / kColumns;
  const int64_t grain = std::max<int64_t>(1, kBlockWork / (plan.size() * std::min(width, kColumns)));
  return parallel_ranges(ctx, plan.outputs() / width * tiles, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t column = i % tiles * kColumns, output = i / tiles * width + column;
      const auto count = static_cast<size_t>(std::min(kColumns, width - column));
      const float* first = x + plan.first_of(output);
      float tops[kColumns];
      double sums[kColumns] = {};
      std::fill_n(tops, kColumns, -std::numeric_limits<float>::infinity());
      each_level(plan, [&](int64_t at, size_t rows, size_t step) { largest(first + at, rows, step, count, tops); });
      each_level(plan,
                 [&](int64_t at, size_t rows, size_t step) { exp_sums(first + at, rows, step, count, tops, sums); });
      for (size_t c = 0; c < count; ++c) y[output + static_cast<int64_t>(c)] = finish(tops[c], sums[c]);
    }
  });
}

Status run_log_sum_exp_f32(KernelContext& ctx) {
  SDX_ASSIGN(const std::vector<bool> reduced, reduced_dimensions(ctx));
  const ReductionPlan plan(ctx.input(0).shape(), reduced);
  if (plan.outputs() == 0) return {};
  if (plan.size() == 0) {
    std::fill_n(ctx.output(0).data<float>(), plan.outputs(), -std::numeric_limits<float>::infinity());
    return {};
  }
  const auto levels = plan.reduced();
  return !levels.empty() && levels.back().stride == 1 ? run_rows(ctx, plan) : run_columns(ctx, plan);
}

}  // namespace

SDX_CPU_KERNELS(reduce_log_sum_exp,
                {.name = "reduce_log_sum_exp_f32", .can_run = takes<DType::f32>, .run = run_log_sum_exp_f32},
                {.name = "reduce_log_sum_exp_half",
                 .can_run = takes_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_log_sum_exp_f32); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
#endif
