// How a thread runs blocks of a pool's lines.
#pragma once

#include "ops/pool/row_pool.h"

namespace sdx::ops {

inline constexpr int64_t kRowBlockBytes = 16384;   // of columns that are put together at once, but for a window's span
inline constexpr int64_t kRowSourceBytes = 65536;  // of rows that are loaded at once

int64_t row_pool_span(const Attributes& attributes);  // of the widest axis

// Elements of the parts of a thread's memory.
template <typename T>
struct RowRoom {
  int64_t columns, results, source;
  explicit RowRoom(int64_t span) {
    constexpr int64_t kBlock = kRowBlockBytes / static_cast<int64_t>(sizeof(T));
    columns = kBlock + span + static_cast<int64_t>(kRowSlack);
    results = kBlock + 64;
    source = std::max(kRowSourceBytes / static_cast<int64_t>(sizeof(T)), columns);
  }
  int64_t all() const { return columns + results + source; }
};

template <typename T>
class RowTask {
 public:
  RowTask(const PoolLines& lines, const RowSteps<T>& steps, const RowEnds<T>& ends, T* memory, const RowRoom<T>& room)
      : lines_(lines),
        steps_(steps),
        ends_(ends),
        room_(room),
        columns_(memory),
        results_(columns_ + room.columns),
        source_(results_ + room.results) {}

  void run(const PoolLines::Block& block) {
    if (block.line != line_ || block.column != column_) begin(block);
    const Windows& w = lines_.windows();
    const auto lines = static_cast<size_t>(block.planes * block.lines), columns = static_cast<size_t>(block.columns);
    const int64_t at = (block.plane * lines_.lines() + block.line) * lines_.out_width() + block.column;
    T* to = ends_.y != nullptr ? ends_.y + at : results_;
    if (is_plain_) {
      put_together(block, ends_.factors != nullptr ? columns_ : to);
      if (ends_.factors != nullptr) steps_.copy({columns_, columns, factors_.data(), lines, columns, to, columns});
    } else {
      put_together(block, columns_ + lead_);
      const auto pitch = static_cast<size_t>(lines_.pitch()), steps = static_cast<size_t>(lines_.steps());
      typename RowSteps<T>::Along along{.from = columns_,
                                        .pitch = pitch,
                                        .kernel = static_cast<size_t>(w.kernel.back()),
                                        .stride = static_cast<size_t>(w.strides.back()),
                                        .dilation = static_cast<size_t>(w.dilations.back()),
                                        .lines = lines,
                                        .count = columns,
                                        .to = to,
                                        .to_pitch = columns,
                                        .factors = nullptr};
      // Short lines as one, with what is between them.
      const bool is_one = steps == columns || (columns <= kShortLine && lines > 1 && steps < 2 * columns);
      if (is_one) {
        along.count = (lines - 1) * steps + columns;
        along.lines = 1;
        along.to_pitch = steps;
      }
      if (!is_one) along.factors = factors();
      const bool copies = along.to_pitch != columns || (is_one && ends_.factors != nullptr);
      if (copies) along.to = results_;
      steps_.along(along);
      if (copies) steps_.copy({results_, along.to_pitch, factors(), lines, columns, to, columns});
    }
    if (ends_.store != nullptr) (*ends_.store)(at, lines * columns, results_);
  }

 private:
  static constexpr size_t kShortLine = 128 / sizeof(T);

  const T* const* factors() const { return ends_.factors != nullptr ? factors_.data() : nullptr; }

  // What blocks of other planes have in common with this one.
  void begin(const PoolLines::Block& block) {
    const Windows& w = lines_.windows();
    line_ = block.line;
    column_ = block.column;
    first_ = block.column * w.strides.back() - w.begin.back();
    const int64_t length = (block.columns - 1) * w.strides.back() + (w.kernel.back() - 1) * w.dilations.back() + 1;
    lead_ = std::clamp<int64_t>(-first_, 0, length);
    until_ = std::clamp<int64_t>(lines_.width() - first_, lead_, length);
    is_plain_ = w.kernel.back() == 1 && w.strides.back() == 1 && lead_ == 0 && until_ == length;
    lines_.reach(block.line, block.lines, reached_);
    const int64_t lines = lines_.planes_at_once() * block.lines;
    std::fill_n(columns_, lines == 1 ? length : lines * lines_.pitch(), steps_.nothing);
    if (ends_.factors == nullptr) return;
    factors_.clear();
    for (int64_t plane = 0; plane < lines_.planes_at_once(); ++plane)
      for (int64_t i = 0; i < block.lines; ++i) factors_.push_back((*ends_.factors)(block.line + i) + block.column);
  }

  void put_together(const PoolLines::Block& block, T* to) {
    const auto count = static_cast<size_t>(until_ - lead_);
    if (count == 0) return;
    const auto pitch = is_plain_ ? block.columns : lines_.pitch();
    for (int64_t plane = 0; plane < block.planes; ++plane) {
      const int64_t from = (block.plane + plane) * lines_.in_count() + first_ + lead_;
      typename RowSteps<T>::Down down{.base = nullptr,
                                      .offsets = reached_.offsets.data(),
                                      .starts = reached_.starts.data(),
                                      .lines = static_cast<size_t>(block.lines),
                                      .count = count,
                                      .to = to + plane * block.lines * pitch,
                                      .pitch = static_cast<size_t>(pitch)};
      if (ends_.load == nullptr) {
        down.base = ends_.x + from;
        steps_.down(down);
      } else {
        load_and_put_together(down, from);
      }
    }
  }

  // All rows that the lines reach at once where they fit, else row by row.
  void load_and_put_together(typename RowSteps<T>::Down& down, int64_t from) {
    const auto& offsets = reached_.offsets;
    const auto count = static_cast<int64_t>(down.count);
    if (!offsets.empty()) {
      const auto [low, high] = std::minmax_element(offsets.begin(), offsets.end());
      if (*high - *low + count <= room_.source) {
        (*ends_.load)(from + *low, static_cast<size_t>(*high - *low + count), source_);
        down.base = source_ - *low;
        return steps_.down(down);
      }
    }
    for (size_t line = 0; line < down.lines; ++line) {
      T* to = down.to + line * down.pitch;
      const auto first = static_cast<size_t>(reached_.starts[line]),
                 end = static_cast<size_t>(reached_.starts[line + 1]);
      if (first == end) std::fill_n(to, count, steps_.nothing);
      for (size_t k = first; k < end; ++k) {
        T* loaded = k == first ? to : source_;
        (*ends_.load)(from + offsets[k], down.count, loaded);
        const int64_t both[] = {0, source_ - to}, starts[] = {0, 2};
        if (k > first) steps_.down({to, both, starts, 1, down.count, to, 0});
      }
    }
  }

  const PoolLines& lines_;
  const RowSteps<T>& steps_;
  const RowEnds<T>& ends_;
  const RowRoom<T> room_;
  T *columns_, *results_, *source_;
  int64_t line_ = -1, column_ = -1;  // of the blocks that what follows is of
  int64_t first_ = 0, lead_ = 0, until_ = 0;
  bool is_plain_ = false;  // windows are columns
  PoolLines::Reached reached_;
  std::vector<const T*> factors_;
};

template <typename T>
Dim row_pool_scratch(const ScratchFacts& facts) {
  const RowRoom<T> room(row_pool_span(facts.node.attributes()));
  return ScratchSize(facts).slots(Dim(room.all() * static_cast<int64_t>(sizeof(T)))).bytes();
}

template <typename T>
Status run_row_pool(KernelContext& ctx, const PoolLines& lines, const RowSteps<T>& steps, const RowEnds<T>& ends) {
  constexpr int64_t kBlockWork = 600'000;
  if (ctx.output(0).count() == 0) return {};
  const RowRoom<T> room(row_pool_span(ctx.attributes()));
  ScratchSlots slots = ScratchParts(ctx).slots(static_cast<size_t>(room.all()) * sizeof(T));
  const int64_t grain = std::max<int64_t>(1, kBlockWork / lines.block_work());
  return parallel_ranges(ctx, lines.blocks(), grain, [&](int64_t begin, int64_t end) {
    const ScratchSlots::Lease lease(slots);
    RowTask<T> task(lines, steps, ends, reinterpret_cast<T*>(lease.memory()), room);
    for (int64_t i = begin; i < end; ++i) task.run(lines.block(i));
  });
}

}  // namespace sdx::ops
