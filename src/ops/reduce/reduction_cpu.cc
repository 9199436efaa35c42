// Reductions of float32: rows where the innermost dimension is reduced, columns where it is kept. Long reductions are
// cut into segments by shape alone, whose results are combined in order.
#include "base/simd_targets.h"  // first

#include <cmath>

#include "kernel/scratch_parts.h"
#include "ops/reduce/reduction.h"
#include "ops/reduce/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct Plain {
  template <class V>
  HWY_INLINE V operator()(V v) const {
    return v;
  }
};
struct Absolute {
  template <class V>
  HWY_INLINE V operator()(V v) const {
    return hn::Abs(v);
  }
};
struct Square {
  template <class V>
  HWY_INLINE V operator()(V v) const {
    return hn::Mul(v, v);
  }
};

// acc[c] += f(x[c])
template <class F>
HWY_INLINE void add_columns(const float* x, size_t count, double* acc, F f) {
  const DoubleTag d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto sum = hn::Add(load_n(d, acc + i, count - i), f(load_as_double(x + i, count - i)));
    store_n(sum, d, acc + i, count - i);
  }
}

constexpr size_t kLanes = 16;  // of blocked channels

// sums[c] = sum over rows of x[row * step + c], for 16 columns, in order of the rows.
void sum_lanes(const float* x, size_t rows, size_t step, double* sums) {
  using Doubles = hn::CappedTag<double, kLanes>;
  const Doubles d;
  const hn::Rebind<float, Doubles> half;
  constexpr size_t kParts = kLanes / hn::MaxLanes(Doubles());
  hn::VFromD<Doubles> totals[kParts];
  for (size_t part = 0; part < kParts; ++part) totals[part] = hn::Zero(d);
  for (size_t row = 0; row < rows; ++row)
    for (size_t part = 0; part < kParts; ++part) {
      const auto v = hn::PromoteTo(d, hn::LoadU(half, x + row * step + part * hn::Lanes(d)));
      totals[part] = hn::Add(totals[part], v);
    }
  for (size_t part = 0; part < kParts; ++part) hn::StoreU(totals[part], d, sums + part * hn::Lanes(d));
}

// The better of two, or the NaN among them.
struct Larger {
  template <class V>
  HWY_INLINE V operator()(V v, V best) const {
    return hn::IfThenElse(hn::IsNaN(v), v, hn::IfThenElse(hn::Gt(v, best), v, best));
  }
  double operator()(double v, double best) const { return std::isnan(v) || v > best ? v : best; }
};
struct Smaller {
  template <class V>
  HWY_INLINE V operator()(V v, V best) const {
    return hn::IfThenElse(hn::IsNaN(v), v, hn::IfThenElse(hn::Lt(v, best), v, best));
  }
  double operator()(double v, double best) const { return std::isnan(v) || v < best ? v : best; }
};

template <class Better>
HWY_INLINE double best_of_row(const float* x, size_t count, Better better) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  auto best = hn::Set(d, x[0]), other = best;
  size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    best = better(hn::LoadU(d, x + i), best);
    other = better(hn::LoadU(d, x + i + lanes), other);
  }
  best = better(other, best);
  HWY_ALIGN float buffer[hn::MaxLanes(d)];
  hn::Store(best, d, buffer);
  double result = buffer[0];
  for (size_t k = 1; k < lanes; ++k) result = better(static_cast<double>(buffer[k]), result);
  for (; i < count; ++i) result = better(static_cast<double>(x[i]), result);
  return result;
}

template <class Better>
HWY_INLINE void best_columns(const float* x, size_t count, double* acc, Better better) {
  const DoubleTag d;
  for (size_t i = 0; i < count; i += hn::Lanes(d))
    store_n(better(load_as_double(x + i, count - i), load_n(d, acc + i, count - i)), d, acc + i, count - i);
}

// y[r] = combine over the `size` elements of row r, from `start` on. For short rows: a lane is a row.
template <class Combine>
HWY_INLINE void short_rows(const float* x, size_t size, size_t rows, double start, double* y, Combine combine) {
  const DoubleTag d;
  const HalfTag half;
  const hn::RebindToSigned<HalfTag> indices;
  const size_t lanes = hn::Lanes(d);
  const auto at = hn::Mul(hn::Iota(indices, 0), hn::Set(indices, static_cast<int32_t>(size)));
  size_t r = 0;
  for (; r + lanes <= rows; r += lanes) {
    auto result = hn::Set(d, start);
    for (size_t k = 0; k < size; ++k)
      result = combine(hn::PromoteTo(d, hn::GatherIndex(half, x + r * size + k, at)), result);
    hn::StoreU(result, d, y + r);
  }
  const hn::CappedTag<double, 1> one;
  for (; r < rows; ++r) {
    auto result = hn::Set(one, start);
    for (size_t k = 0; k < size; ++k) result = combine(hn::Set(one, static_cast<double>(x[r * size + k])), result);
    hn::StoreU(result, one, y + r);
  }
}

template <class F>
struct Sum {
  template <class V>
  HWY_INLINE V operator()(V v, V sum) const {
    return hn::Add(sum, F()(v));
  }
};

// y[i] = f(results[i])
template <class F>
HWY_INLINE void finish(const double* results, size_t count, float* y, F f) {
  const DoubleTag d;
  for (size_t i = 0; i < count; i += hn::Lanes(d))
    store_n(hn::DemoteTo(HalfTag(), f(load_n(d, results + i, count - i))), HalfTag(), y + i, count - i);
}

double row_sum(const float* x, size_t n) { return sum_row(x, n, Plain()); }
double row_l1(const float* x, size_t n) { return sum_row(x, n, Absolute()); }
double row_squares(const float* x, size_t n) { return sum_row(x, n, Square()); }
double row_max(const float* x, size_t n) { return best_of_row(x, n, Larger()); }
double row_min(const float* x, size_t n) { return best_of_row(x, n, Smaller()); }
void short_sum(const float* x, size_t n, size_t rows, double* y) { short_rows(x, n, rows, 0, y, Sum<Plain>()); }
void short_l1(const float* x, size_t n, size_t rows, double* y) { short_rows(x, n, rows, 0, y, Sum<Absolute>()); }
void short_squares(const float* x, size_t n, size_t rows, double* y) { short_rows(x, n, rows, 0, y, Sum<Square>()); }
void short_max(const float* x, size_t n, size_t rows, double* y) { short_rows(x, n, rows, -HUGE_VAL, y, Larger()); }
void short_min(const float* x, size_t n, size_t rows, double* y) { short_rows(x, n, rows, HUGE_VAL, y, Smaller()); }
void finish_plain(const double* results, size_t n, double, float* y) { finish(results, n, y, Plain()); }
void finish_mean(const double* results, size_t n, double size, float* y) {
  finish(results, n, y, [size](auto v) HWY_ATTR { return hn::Div(v, hn::Set(DoubleTag(), size)); });
}
void finish_root(const double* results, size_t n, double, float* y) {
  finish(results, n, y, [](auto v) HWY_ATTR { return hn::Sqrt(v); });
}
void columns_sum(const float* x, size_t n, double* acc) { add_columns(x, n, acc, Plain()); }
void columns_l1(const float* x, size_t n, double* acc) { add_columns(x, n, acc, Absolute()); }
void columns_squares(const float* x, size_t n, double* acc) { add_columns(x, n, acc, Square()); }
void columns_max(const float* x, size_t n, double* acc) { best_columns(x, n, acc, Larger()); }
void columns_min(const float* x, size_t n, double* acc) { best_columns(x, n, acc, Smaller()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

constexpr int64_t kSegment = 65536;    // elements behind one partial result
constexpr int64_t kColumns = 256;      // of a tile
constexpr int64_t kBlockWork = 16384;  // elements a parallel block
constexpr int64_t kShortRow = 16;      // up to here vectors go across rows
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Functions {
  double (*row)(const float*, size_t);
  void (*short_rows)(const float*, size_t size, size_t rows, double*);
  void (*columns)(const float*, size_t, double*);
  double (*combine)(double, double);
  double start;
};

double add(double a, double b) { return a + b; }
double larger(double v, double best) { return std::isnan(v) || v > best ? v : best; }
double smaller(double v, double best) { return std::isnan(v) || v < best ? v : best; }

Functions functions_of(Reduction kind) {
  switch (kind) {
    case Reduction::l1: return {SDX_DISPATCH(row_l1), SDX_DISPATCH(short_l1), SDX_DISPATCH(columns_l1), add, 0};
    case Reduction::l2:
    case Reduction::sum_square:
      return {SDX_DISPATCH(row_squares), SDX_DISPATCH(short_squares), SDX_DISPATCH(columns_squares), add, 0};
    case Reduction::max:
      return {SDX_DISPATCH(row_max), SDX_DISPATCH(short_max), SDX_DISPATCH(columns_max), larger, -kInfinity};
    case Reduction::min:
      return {SDX_DISPATCH(row_min), SDX_DISPATCH(short_min), SDX_DISPATCH(columns_min), smaller, kInfinity};
    case Reduction::sum:
    case Reduction::mean: break;
  }
  return {SDX_DISPATCH(row_sum), SDX_DISPATCH(short_sum), SDX_DISPATCH(columns_sum), add, 0};
}

// The reduced positions cut into segments: of whole rows, or of one row.
struct Segments {
  int64_t rows, row_size;  // all rows; elements of each that are neighbours in memory
  int64_t count = 1, rows_each, size_each;

  Segments(int64_t row_count, int64_t size, int64_t work, bool wanted)
      : rows(row_count), row_size(size), rows_each(row_count), size_each(size) {
    if (!wanted || rows * work < 2 * kSegment) return;
    if (rows > 1) {
      rows_each = std::max<int64_t>(1, kSegment / work);
      count = (rows + rows_each - 1) / rows_each;
    } else if (row_size > 1) {
      size_each = kSegment;
      count = (row_size + size_each - 1) / size_each;
    }
  }
};

class F32Reduction {
 public:
  F32Reduction(KernelContext& ctx, const ReductionPlan& plan, Reduction kind)
      : ctx_(ctx), plan_(plan), kind_(kind), functions_(functions_of(kind)), x_(ctx.input(0).data<float>()) {}

  Status run() {
    const auto reduced = plan_.reduced();
    const bool inner_reduced = !reduced.empty() && reduced.back().stride == 1;
    return inner_reduced ? run_rows(reduced.back().size) : run_columns();
  }

 private:
  Status run_rows(int64_t row_size) {
    const int64_t outputs = plan_.outputs();
    const Segments segments(plan_.size() / row_size, row_size, row_size, outputs < 64);
    const std::span<double> partial = ScratchParts(ctx_).take<double>(outputs * segments.count);
    const auto kept = plan_.kept();
    if (row_size <= kShortRow && plan_.size() == row_size && kept.size() == 1 && kept[0].stride == row_size) {
      SDX_TRY(parallel_ranges(ctx_, outputs, kBlockWork / row_size, [&](int64_t begin, int64_t end) {
        functions_.short_rows(x_ + begin * row_size, static_cast<size_t>(row_size), static_cast<size_t>(end - begin),
                              partial.data() + begin);
      }));
      return finish(partial, 1);
    }
    const int64_t work = segments.rows_each * segments.size_each;
    SDX_TRY(parallel_ranges(
        ctx_, outputs * segments.count, std::max<int64_t>(1, kBlockWork / work), [&](int64_t begin, int64_t end) {
          for (int64_t unit = begin; unit < end; ++unit) {
            const int64_t segment = unit / outputs;
            const float* first = x_ + plan_.first_of(unit % outputs);
            const int64_t row_begin = segments.rows > 1 ? segment * segments.rows_each : 0;
            const int64_t row_end = std::min(row_begin + segments.rows_each, segments.rows);
            const int64_t from = segments.rows > 1 ? 0 : segment * segments.size_each;
            const auto size = static_cast<size_t>(std::min(segments.size_each, row_size - from));
            double result = functions_.start;
            for (int64_t row = row_begin; row < row_end; ++row)
              result = functions_.combine(functions_.row(first + plan_.element(row * row_size) + from, size), result);
            partial[static_cast<size_t>(unit)] = result;
          }
        }));
    return finish(partial, segments.count);
  }

  // Means and sums over positions of blocked channels.
  Status run_lanes() {
    const int64_t outputs = plan_.outputs(), width = plan_.kept().back().size;
    const std::span<double> partial = ScratchParts(ctx_).take<double>(outputs);
    const auto kernel = SDX_DISPATCH(sum_lanes);
    const auto step = static_cast<size_t>(plan_.reduced()[0].stride);
    const int64_t grain = std::max<int64_t>(1, kBlockWork / (plan_.size() * width));
    SDX_TRY(parallel_ranges(ctx_, outputs / width, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        kernel(x_ + plan_.first_of(i * width), static_cast<size_t>(plan_.size()), step, partial.data() + i * width);
    }));
    return finish(partial, 1);
  }

  Status run_columns() {
    const int64_t outputs = plan_.outputs();
    const int64_t width = plan_.kept().empty() ? 1 : plan_.kept().back().size;
    if (width == 16 && plan_.reduced().size() == 1 && (kind_ == Reduction::sum || kind_ == Reduction::mean))
      return run_lanes();
    const int64_t tiles = (width + kColumns - 1) / kColumns, tile_size = std::min(width, kColumns);
    const int64_t units = outputs / width * tiles;
    const Segments segments(plan_.size(), 1, tile_size, units < 64);
    const std::span<double> partial = ScratchParts(ctx_).take<double>(outputs * segments.count);
    std::fill(partial.begin(), partial.end(), functions_.start);
    const int64_t work = segments.rows_each * tile_size;
    SDX_TRY(parallel_ranges(ctx_, units * segments.count, std::max<int64_t>(1, kBlockWork / std::max<int64_t>(1, work)),
                            [&](int64_t begin, int64_t end) {
                              for (int64_t unit = begin; unit < end; ++unit) {
                                const int64_t segment = unit / units, tile = unit % units;
                                const int64_t column = tile % tiles * kColumns;
                                const int64_t output = tile / tiles * width + column;
                                const auto count = static_cast<size_t>(std::min(kColumns, width - column));
                                const float* first = x_ + plan_.first_of(output);
                                double* acc = partial.data() + segment * outputs + output;
                                const int64_t row_end = std::min((segment + 1) * segments.rows_each, segments.rows);
                                for (int64_t row = segment * segments.rows_each; row < row_end; ++row)
                                  functions_.columns(first + plan_.element(row), count, acc);
                              }
                            }));
    return finish(partial, segments.count);
  }

  Status finish(std::span<double> partial, int64_t segments) {
    const int64_t outputs = plan_.outputs();
    for (int64_t segment = 1; segment < segments; ++segment)
      for (int64_t output = 0; output < outputs; ++output)
        partial[static_cast<size_t>(output)] = functions_.combine(
            partial[static_cast<size_t>(segment * outputs + output)], partial[static_cast<size_t>(output)]);
    const auto results = kind_ == Reduction::mean ? SDX_DISPATCH(finish_mean)
                         : kind_ == Reduction::l2 ? SDX_DISPATCH(finish_root)
                                                  : SDX_DISPATCH(finish_plain);
    results(partial.data(), static_cast<size_t>(outputs), static_cast<double>(plan_.size()),
            ctx_.output(0).data<float>());
    return {};
  }

  KernelContext& ctx_;
  const ReductionPlan& plan_;
  Reduction kind_;
  Functions functions_;
  const float* x_;
};

}  // namespace

RowMaxF32 row_max_f32() { return SDX_DISPATCH(row_max); }

Status run_reduction_f32(KernelContext& ctx, Reduction kind) {
  SDX_ASSIGN(const std::vector<bool> reduced, reduced_dimensions(ctx));
  const ReductionPlan plan(ctx.input(0).shape(), reduced);
  if (plan.outputs() == 0) return {};
  if (plan.size() == 0) {
    auto* y = ctx.output(0).data<float>();
    std::fill_n(y, plan.outputs(), static_cast<float>(functions_of(kind).start));
    return {};
  }
  return F32Reduction(ctx, plan, kind).run();
}

// A result an output and segment: there are segments only where tiles of 256 outputs have many elements behind them.
Dim reduction_scratch(const ScratchFacts& facts) {
  ScratchSize size(facts);
  const Dim segments = facts.symbols.floor_div(size.input_count(0), Dim(kSegment / kColumns / 2));
  return size.part(facts.symbols.add(size.output_count(0), segments), sizeof(double)).bytes();
}

}  // namespace sdx::ops
#endif
