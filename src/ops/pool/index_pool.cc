#include "ops/pool/index_pool.h"

#include "ops/pool/index_steps.h"
#include "ops/pool/row_doubles.h"
#include "ops/pool/row_tasks.h"

namespace sdx::ops {
namespace {

constexpr double kLowest = -std::numeric_limits<double>::infinity();

class IndexTask {
 public:
  IndexTask(KernelContext& ctx, const PoolLines& lines, double* memory, const RowRoom<double>& room)
      : ctx_(ctx),
        lines_(lines),
        room_(room),
        steps_(index_steps()),
        maps_(row_maps()),
        by_columns_(ctx.attr_int("storage_order", 0) == 1),
        best_(memory),
        y_(best_ + room.columns),
        source_(y_ + room.results),
        places_(reinterpret_cast<int64_t*>(source_ + room.source)),
        y_places_(places_ + room.columns) {}
  static int64_t elements(const RowRoom<double>& room) { return room.all() + room.columns + room.results; }

  void run(const PoolLines::Block& block) {
    const Windows& w = lines_.windows();
    if (block.line != line_ || block.column != column_) begin(block);
    for (int64_t plane = block.plane; plane < block.plane + block.planes; ++plane) {
      const double* base = loaded(plane);
      for (int64_t i = 0; i < block.lines; ++i) {
        put_together(base, plane, i);
        steps_.along(best_, places_, static_cast<size_t>(w.kernel.back()), static_cast<size_t>(w.strides.back()),
                     static_cast<size_t>(w.dilations.back()), static_cast<size_t>(block.columns), y_, y_places_);
        store(plane, (plane * lines_.lines() + block.line + i) * lines_.out_width() + block.column, block.columns);
      }
    }
  }

 private:
  void begin(const PoolLines::Block& block) {
    const Windows& w = lines_.windows();
    line_ = block.line;
    column_ = block.column;
    const int64_t from = block.column * w.strides.back() - w.begin.back();
    const int64_t length = (block.columns - 1) * w.strides.back() + (w.kernel.back() - 1) * w.dilations.back() + 1;
    lead_ = std::clamp<int64_t>(-from, 0, length);
    count_ = std::clamp<int64_t>(lines_.width() - from, lead_, length) - lead_;
    first_ = from + lead_;
    lines_.reach(block.line, block.lines, reached_);
    std::fill_n(best_, length, kLowest);
    std::fill_n(places_, length, kNowhere);
  }

  // All rows that the block's lines reach, where they fit; null otherwise.
  const double* loaded(int64_t plane) {
    if (reached_.offsets.empty() || count_ == 0) return nullptr;
    const auto [low, high] = std::minmax_element(reached_.offsets.begin(), reached_.offsets.end());
    const int64_t count = *high - *low + count_;
    if (count > room_.source) return nullptr;
    const int64_t from = plane * lines_.in_count() + first_ + *low;
    load_doubles(maps_, ctx_.input(0), from, static_cast<size_t>(count), source_);
    return source_ - *low;
  }

  void put_together(const double* base, int64_t plane, int64_t line) {
    const auto begin = static_cast<size_t>(reached_.starts[static_cast<size_t>(line)]);
    const auto end = static_cast<size_t>(reached_.starts[static_cast<size_t>(line) + 1]);
    const auto count = static_cast<size_t>(count_);
    if (begin == end) {
      std::fill_n(best_ + lead_, count_, kLowest);
      std::fill_n(places_ + lead_, count_, kNowhere);
      return;
    }
    if (count == 0) return;
    const int64_t* offsets = reached_.offsets.data();
    if (base != nullptr)
      return steps_.down(base, offsets + begin, end - begin, first_, count, best_ + lead_, places_ + lead_);
    const int64_t zero[] = {0};
    for (size_t k = begin; k < end; ++k) {
      load_doubles(maps_, ctx_.input(0), plane * lines_.in_count() + first_ + offsets[k], count, source_);
      const int64_t place = first_ + offsets[k];
      if (k == begin) {
        steps_.down(source_, zero, 1, place, count, best_ + lead_, places_ + lead_);
        continue;
      }
      for (size_t i = 0; i < count; ++i) {
        double& best = best_[lead_ + static_cast<int64_t>(i)];
        const double v = source_[i];
        if (!(v > best) && !(v != v && best == best)) continue;
        best = v;
        places_[lead_ + static_cast<int64_t>(i)] = place + static_cast<int64_t>(i);
      }
    }
  }

  void store(int64_t plane, int64_t at, int64_t count) {
    if (ctx_.wants_output(0)) {
      const DType type = ctx_.output(0).dtype();
      for (int64_t i = 0; i < count && !is_floating(type); ++i)
        if (y_places_[i] == kNowhere) y_[i] = type == DType::u8 ? 0 : -128;
      store_doubles(maps_, y_, static_cast<size_t>(count), ctx_.output(0), at);
    }
    if (!ctx_.wants_output(1)) return;
    const int64_t base = plane * lines_.in_count();
    auto* to = ctx_.output(1).data<int64_t>() + at;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t place = y_places_[i];
      to[i] = place == kNowhere ? -1 : base + (by_columns_ ? column_major(place, lines_.windows().in) : place);
    }
  }

  KernelContext& ctx_;
  const PoolLines& lines_;
  const RowRoom<double> room_;
  const IndexSteps steps_;
  const RowMaps& maps_;
  const bool by_columns_;
  double *best_, *y_, *source_;
  int64_t *places_, *y_places_;
  int64_t line_ = -1, column_ = -1, lead_ = 0, count_ = 0, first_ = 0;
  PoolLines::Reached reached_;
};

}  // namespace

int64_t column_major(int64_t index, std::span<const int64_t> shape) {
  int64_t result = 0, step = count_of(shape);
  for (size_t axis = shape.size(); axis-- > 0;) {
    step /= shape[axis];
    result += index % shape[axis] * step;
    index /= shape[axis];
  }
  return result;
}

Status run_index_pool(KernelContext& ctx) {
  constexpr int64_t kBlockWork = 100'000;
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  const PoolLines lines(sizes, sizeof(double));
  if (lines.planes() * lines.lines() * lines.out_width() == 0) return {};
  const RowRoom<double> room(row_pool_span(ctx.attributes()));
  ScratchSlots slots = ScratchParts(ctx).slots(static_cast<size_t>(IndexTask::elements(room)) * sizeof(double));
  const int64_t grain = std::max<int64_t>(1, kBlockWork / lines.block_work());
  return parallel_ranges(ctx, lines.blocks(), grain, [&](int64_t begin, int64_t end) {
    const ScratchSlots::Lease lease(slots);
    IndexTask task(ctx, lines, reinterpret_cast<double*>(lease.memory()), room);
    for (int64_t i = begin; i < end; ++i) task.run(lines.block(i));
  });
}

Dim index_pool_scratch(const ScratchFacts& facts) {
  const RowRoom<double> room(row_pool_span(facts.node.attributes()));
  return ScratchSize(facts).slots(Dim(IndexTask::elements(room) * static_cast<int64_t>(sizeof(double)))).bytes();
}

}  // namespace sdx::ops
