// A reduction of T with partial results of type A, split over threads: rows where the innermost dimension is reduced,
// columns where it is kept. Long reductions are cut into segments by shape alone, whose results are combined in order.
#pragma once

#include "kernel/scratch_parts.h"
#include "ops/reduce/reduction.h"

namespace sdx::ops {

template <typename T, typename A>
struct ReductionSteps {
  A (*row)(const T* x, size_t count);
  // Of `rows` rows of `size` elements, one after another: a lane is a row. Null: none such.
  void (*short_rows)(const T* x, size_t size, size_t rows, A* results);
  // results[c] and x[row * step + c] for all rows, put together.
  void (*columns)(const T* x, size_t rows, size_t step, size_t count, A* results);
  A (*combine)(A, A);
  void (*finish)(const A* results, size_t count, double size, T* y);
  A start;
};

inline constexpr int64_t kReductionSegment = 65536;  // elements behind one partial result
inline constexpr int64_t kReductionColumns = 256;    // of a tile

// The reduced positions cut into segments: of whole rows, or of one row.
struct ReductionSegments {
  int64_t rows, row_size;  // all rows; elements of each that are neighbours in memory
  int64_t count = 1, rows_each, size_each;

  ReductionSegments(int64_t row_count, int64_t size, int64_t work, bool wanted)
      : rows(row_count), row_size(size), rows_each(row_count), size_each(size) {
    if (!wanted || rows * work < 2 * kReductionSegment) return;
    if (rows > 1) {
      rows_each = std::max<int64_t>(1, kReductionSegment / work);
      count = (rows + rows_each - 1) / rows_each;
    } else if (row_size > 1) {
      size_each = kReductionSegment;
      count = (row_size + size_each - 1) / size_each;
    }
  }
};

template <typename T, typename A>
class ReductionTask {
 public:
  ReductionTask(KernelContext& ctx, const ReductionPlan& plan, const ReductionSteps<T, A>& steps)
      : ctx_(ctx), plan_(plan), steps_(steps), x_(ctx.input(0).data<T>()) {}

  Status run() {
    const auto reduced = plan_.reduced();
    const bool inner_reduced = !reduced.empty() && reduced.back().stride == 1;
    return inner_reduced ? run_rows(reduced.back().size) : run_columns();
  }

 private:
  static constexpr int64_t kBlockWork = 16384;  // elements a parallel block
  static constexpr int64_t kShortRow = 16;      // up to here vectors go across rows

  Status run_rows(int64_t row_size) {
    const int64_t outputs = plan_.outputs();
    const ReductionSegments segments(plan_.size() / row_size, row_size, row_size, outputs < 64);
    const std::span<A> partial = ScratchParts(ctx_).take<A>(outputs * segments.count);
    const auto kept = plan_.kept();
    const bool in_order = plan_.size() == row_size && kept.size() == 1 && kept[0].stride == row_size;
    if (in_order && segments.count == 1) {
      const bool is_short = row_size <= kShortRow && steps_.short_rows != nullptr;
      const int64_t grain = std::max<int64_t>(1, kBlockWork / row_size);
      SDX_TRY(parallel_ranges(ctx_, outputs, grain, [&](int64_t begin, int64_t end) {
        const auto size = static_cast<size_t>(row_size);
        if (is_short)
          return steps_.short_rows(x_ + begin * row_size, size, static_cast<size_t>(end - begin), &partial[begin]);
        for (int64_t i = begin; i < end; ++i) partial[static_cast<size_t>(i)] = steps_.row(x_ + i * row_size, size);
      }));
      return finish(partial, 1);
    }
    const int64_t work = segments.rows_each * segments.size_each;
    SDX_TRY(parallel_ranges(
        ctx_, outputs * segments.count, std::max<int64_t>(1, kBlockWork / work), [&](int64_t begin, int64_t end) {
          for (int64_t unit = begin; unit < end; ++unit) {
            const int64_t segment = unit / outputs;
            const T* first = x_ + plan_.first_of(unit % outputs);
            const int64_t row_begin = segments.rows > 1 ? segment * segments.rows_each : 0;
            const int64_t row_end = std::min(row_begin + segments.rows_each, segments.rows);
            const int64_t from = segments.rows > 1 ? 0 : segment * segments.size_each;
            const auto size = static_cast<size_t>(std::min(segments.size_each, row_size - from));
            A result = steps_.start;
            for (int64_t row = row_begin; row < row_end; ++row)
              result = steps_.combine(steps_.row(first + plan_.element(row * row_size) + from, size), result);
            partial[static_cast<size_t>(unit)] = result;
          }
        }));
    return finish(partial, segments.count);
  }

  Status run_columns() {
    const int64_t outputs = plan_.outputs();
    const int64_t width = plan_.kept().empty() ? 1 : plan_.kept().back().size;
    const int64_t tiles = (width + kReductionColumns - 1) / kReductionColumns;
    const int64_t tile_size = std::min(width, kReductionColumns), units = outputs / width * tiles;
    const ReductionSegments segments(plan_.size(), 1, tile_size, units < 64);
    const std::span<A> partial = ScratchParts(ctx_).take<A>(outputs * segments.count);
    const int64_t work = std::max<int64_t>(1, segments.rows_each * tile_size);
    SDX_TRY(parallel_ranges(ctx_, units * segments.count, std::max<int64_t>(1, kBlockWork / work),
                            [&](int64_t begin, int64_t end) {
                              for (int64_t unit = begin; unit < end; ++unit) {
                                const int64_t segment = unit / units, tile = unit % units;
                                const int64_t column = tile % tiles * kReductionColumns;
                                const int64_t output = tile / tiles * width + column;
                                const int64_t row = segment * segments.rows_each;
                                reduce_columns(output, std::min(kReductionColumns, width - column), row,
                                               std::min(row + segments.rows_each, segments.rows),
                                               partial.data() + segment * outputs + output);
                              }
                            }));
    return finish(partial, segments.count);
  }

  // `count` neighbouring outputs, over rows [row, end).
  void reduce_columns(int64_t output, int64_t count, int64_t row, int64_t end, A* results) {
    std::fill_n(results, count, steps_.start);
    const T* first = x_ + plan_.first_of(output);
    const auto reduced = plan_.reduced();
    const ReductionPlan::Level inner = reduced.empty() ? ReductionPlan::Level{1, 0} : reduced.back();
    while (row < end) {
      const int64_t rows = std::min(end - row, inner.size - row % inner.size);
      steps_.columns(first + plan_.element(row), static_cast<size_t>(rows), static_cast<size_t>(inner.stride),
                     static_cast<size_t>(count), results);
      row += rows;
    }
  }

  Status finish(std::span<A> partial, int64_t segments) {
    const int64_t outputs = plan_.outputs();
    for (int64_t segment = 1; segment < segments; ++segment)
      for (int64_t output = 0; output < outputs; ++output)
        partial[static_cast<size_t>(output)] = steps_.combine(partial[static_cast<size_t>(segment * outputs + output)],
                                                              partial[static_cast<size_t>(output)]);
    steps_.finish(partial.data(), static_cast<size_t>(outputs), static_cast<double>(plan_.size()),
                  ctx_.output(0).data<T>());
    return {};
  }

  KernelContext& ctx_;
  const ReductionPlan& plan_;
  const ReductionSteps<T, A>& steps_;
  const T* x_;
};

template <typename T, typename A>
Status run_reduction(KernelContext& ctx, const ReductionSteps<T, A>& steps) {
  SDX_ASSIGN(const std::vector<bool> reduced, reduced_dimensions(ctx));
  const ReductionPlan plan(ctx.input(0).shape(), reduced);
  if (plan.outputs() == 0) return {};
  if (plan.size() > 0) return ReductionTask<T, A>(ctx, plan, steps).run();
  // Of nothing, means are as sums are.
  const std::vector<A> nothing(static_cast<size_t>(plan.outputs()), steps.start);
  steps.finish(nothing.data(), nothing.size(), 1, ctx.output(0).data<T>());
  return {};
}

// The largest or the least of doubles, by vectors.
Status run_best_f64(KernelContext& ctx, Reduction kind);

}  // namespace sdx::ops
