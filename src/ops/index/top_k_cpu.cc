// TopK for numbers of 8 to 64 bits. Value and index become one key whose order is the order of the result; a row is
// looked through block by block for keys above the worst that still counts.
#include <bit>
#include <cstring>

#include "ops/elementwise.h"
#include "ops/index/falling_order.h"
#include "ops/index/key_scan.h"
#include "ops/index/ordered_bits.h"
#include "ops/index/value_keys.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

constexpr int64_t kBlock = 512;     // numbers looked at together
constexpr int64_t kFewPicks = 32;   // kept in order as they come
constexpr int64_t kTinyWork = 256;  // size * k of rows that are not worth more than k passes
constexpr uint32_t kVectors = 24;   // size of rows from which on loops in vectors pay
constexpr int64_t kMaxRow = 0xffffffff;

template <typename U>
using Fill = void (*)(const void* x, int64_t first, int64_t count, U flip, U* out);

template <typename T, typename U>
void fill(const void* x, int64_t first, int64_t count, U flip, U* out) {
  const T* from = static_cast<const T*>(x) + first;
  if constexpr (std::is_same_v<T, float>) {
    ordered_floats(from, static_cast<size_t>(count), flip, out);
  } else {
    for (int64_t i = 0; i < count; ++i) out[i] = U{ordered_bits(from[i])} ^ flip;
  }
}

template <typename U>
class RowTop {
 public:
  using Of = ValueKeys<U>;
  using Key = typename Of::Key;
  RowTop(Fill<U> fill, int64_t size, int64_t k, bool largest)
      : fill_(fill), size_(size), k_(k), flip_(largest ? 0 : ~U{0}), picks_(static_cast<size_t>(k)) {}

  // The first k of a contiguous row, in order: their indices, until the next call. `rows` rows, this one included, lie
  // one after another.
  const uint32_t* pick(const void* x, int64_t rows) {
    at_ = picks_.data();
    if (size_ * k_ <= kTinyWork) {
      pick_tiny(x, rows);
    } else {
      pick_long(x);
    }
    return picks_.data();
  }

 private:
  void emit(uint32_t index) { *at_++ = index; }
  [[gnu::noinline]] void pick_long(const void* x) {
    keys_.clear();
    if (k_ > size_ / 4) {
      take_all(x);
    } else {
      look_through(x);
    }
    visit_falling(keys_, spare_, [&](Key key) {
      emit(static_cast<uint32_t>(Of::index(key)));
      return at_ < picks_.data() + k_;
    });
  }
  // The largest number and the first place that has it, again and again. What was taken becomes 0, the lowest.
  void pick_tiny(const void* x, int64_t rows) {
    if (tiny_left_ == 0) {
      tiny_left_ = std::min(rows, kTinyWork / size_);
      fill_(x, 0, tiny_left_ * size_, flip_, tiny_);
      tiny_at_ = tiny_;
    }
    U* values = tiny_at_;
    tiny_at_ += size_;
    --tiny_left_;
    if (size_ < kVectors) return pick_few(values);
    const auto size = static_cast<uint32_t>(size_);
    bool taken[kTinyWork];
    std::fill_n(taken, size, false);
    for (int64_t picked = 0; picked < k_; ++picked) {
      U best = 0;
      for (uint32_t i = 0; i < size; ++i) best = std::max(best, values[i]);
      uint32_t at = size;
      for (uint32_t i = 0; i < size; ++i) at = std::min(at, values[i] == best ? i : size);
      if (best == 0)
        for (at = 0; taken[at];) ++at;
      taken[at] = true;
      values[at] = 0;
      emit(at);
    }
  }
  // In one pass, the best so far in order.
  template <int kPicks>
  void pick_best(const U* values) {
    Key best[kPicks] = {};
    for (int64_t i = 0; i < size_; ++i) {
      Key key = Of::of(values[i], i);
      for (Key& kept : best) {
        const Key low = std::min(kept, key);
        kept = std::max(kept, key);
        key = low;
      }
    }
    for (const Key key : best) emit(static_cast<uint32_t>(Of::index(key)));
  }
  void pick_few(U* values) {
    switch (k_) {
      case 1: return pick_best<1>(values);
      case 2: return pick_best<2>(values);
      case 3: return pick_best<3>(values);
      case 4: return pick_best<4>(values);
      default: break;
    }
    const auto size = static_cast<uint32_t>(size_);
    uint32_t taken = 0;
    for (int64_t picked = 0; picked < k_; ++picked) {
      U best = 0;
      uint32_t at = 0;
      for (uint32_t i = 0; i < size; ++i) {
        at = values[i] > best ? i : at;
        best = std::max(best, values[i]);
      }
      if (best == 0) at = static_cast<uint32_t>(std::countr_one(taken));
      taken |= uint32_t{1} << at;
      values[at] = 0;
      emit(at);
    }
  }
  void take_all(const void* x) {
    keys_.resize(static_cast<size_t>(size_));
    U values[kBlock];
    for (int64_t i = 0; i < size_; i += kBlock) {
      const int64_t count = std::min(kBlock, size_ - i);
      fill_(x, i, count, flip_, values);
      for (int64_t j = 0; j < count; ++j) keys_[static_cast<size_t>(i + j)] = Of::of(values[j], i + j);
    }
  }
  void look_through(const void* x) {
    U values[kBlock];
    uint32_t positions[kBlock + kScanSlack];
    const auto most = static_cast<size_t>(4 * k_);
    for (int64_t i = 0, count = 0; i < size_; i += count) {
      count = std::min({std::max({i, k_, int64_t{16}}), kBlock, size_ - i});
      stop_point(count);
      fill_(x, i, count, flip_, values);
      if (static_cast<int64_t>(keys_.size()) < k_) {
        for (int64_t j = 0; j < count; ++j) add(Of::of(values[j], i + j));
        continue;
      }
      const size_t found = positions_above(values, static_cast<size_t>(count), least_, positions);
      for (size_t j = 0; j < found; ++j) add(Of::of(values[positions[j]], i + positions[j]));
      if (keys_.size() > most) keep_best();
    }
  }
  void add(Key key) {
    keys_.push_back(key);
    if (k_ <= kFewPicks) {
      size_t at = keys_.size() - 1;
      for (; at > 0 && keys_[at - 1] < key; --at) keys_[at] = keys_[at - 1];
      keys_[at] = key;
      if (static_cast<int64_t>(keys_.size()) > k_) keys_.pop_back();
      least_ = Of::value(keys_.back());
    } else if (static_cast<int64_t>(keys_.size()) == k_) {
      least_ = Of::value(*std::min_element(keys_.begin(), keys_.end()));
    }
  }
  void keep_best() {
    std::nth_element(keys_.begin(), keys_.begin() + (k_ - 1), keys_.end(), std::greater<>());
    keys_.resize(static_cast<size_t>(k_));
    least_ = Of::value(keys_.back());
  }

  Fill<U> fill_;
  int64_t size_, k_;
  U flip_, least_ = 0;  // the worst value that still counts, once there are k
  std::vector<Key> keys_, spare_;
  std::vector<uint32_t> picks_;
  uint32_t* at_ = nullptr;
  U tiny_[kTinyWork];  // of several rows
  U* tiny_at_ = nullptr;
  int64_t tiny_left_ = 0;
};

// Rows along an axis with `inner` elements between neighbours: several at a time are laid out one after another.
template <typename Word>
class Columns {
 public:
  static constexpr int64_t kColumns = 32;
  Columns(const Word* x, int64_t size, int64_t inner) : x_(x), size_(size), inner_(inner) {
    if (inner > 1) room_.resize(static_cast<size_t>(size * kColumns));
  }
  // Rows `row`, `row` + 1, .. of the same outer index are asked for in turn.
  const Word* row(int64_t row) {
    if (inner_ == 1) return x_ + row * size_;
    if (row < first_ || row >= last_) {
      const Word* plane = x_ + row / inner_ * size_ * inner_;
      const int64_t column = row % inner_;
      first_ = row;
      last_ = row + std::min(kColumns, inner_ - column);
      for (int64_t i = 0; i < size_; ++i)
        for (int64_t c = 0; c < last_ - first_; ++c)
          room_[static_cast<size_t>(c * size_ + i)] = plane[i * inner_ + column + c];
    }
    return room_.data() + (row - first_) * size_;
  }
  // From `row` on, these follow one another.
  int64_t together(int64_t row, int64_t end) const { return (inner_ == 1 ? end : std::min(end, last_)) - row; }

 private:
  const Word* x_;
  int64_t size_, inner_, first_ = 0, last_ = 0;
  std::vector<Word> room_;
};

template <typename Word, typename U>
Status run_rows(KernelContext& ctx, Fill<U> fill) {
  const Tensor& x = ctx.input(0);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", -1), x.rank()));
  const bool largest = ctx.attr_int("largest", 1) != 0;
  const int64_t size = x.shape()[axis], k = load_i64(ctx.input(1), 0);
  const int64_t outer = count_range(x.shape(), 0, axis), inner = count_range(x.shape(), axis + 1, x.shape().size());
  if (k == 0 || outer * inner == 0) return {};
  if (size > kMaxRow) return not_implemented("an axis of {} elements", size);
  Word* values = ctx.wants_output(0) ? ctx.output(0).data<Word>() : nullptr;
  int64_t* indices = ctx.wants_output(1) ? ctx.output(1).data<int64_t>() : nullptr;
  const int64_t grain = std::max<int64_t>(inner > 1 ? Columns<Word>::kColumns : 1, 16384 / size);
  return parallel_ranges(ctx, outer * inner, grain, [&](int64_t begin, int64_t end) {
    const StopScope stops(ctx.environment().cancel);
    RowTop<U> top(fill, size, k, largest);
    Columns<Word> columns(x.data<Word>(), size, inner);
    for (int64_t row = begin; row < end; ++row) {
      const Word* from = columns.row(row);
      int64_t to = inner == 1 ? row * k : row / inner * k * inner + row % inner;
      const uint32_t* picks = top.pick(from, columns.together(row, end));
      for (int64_t i = 0; i < k; ++i, to += inner) {
        if (values != nullptr) values[to] = from[picks[i]];
        if (indices != nullptr) indices[to] = picks[i];
      }
    }
  });
}

template <typename T>
Status run_typed(KernelContext& ctx) {
  using Word = decltype(ordered_bits(T{}));
  using U = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  return run_rows<Word, U>(ctx, fill<T, U>);
}

Verdict takes_numbers(const NodeFacts& facts) {
  return visit_native(facts.dtype(0), [](auto) {}) ? yes() : no("only numbers of 8 to 64 bits");
}

Status run_top_k(KernelContext& ctx) {
  Status status;
  visit_native(ctx.input(0).dtype(), [&]<typename T>(T) { status = run_typed<T>(ctx); });
  return status;
}

}  // namespace

SDX_CPU_KERNELS(top_k, {.name = "top_k_numbers", .can_run = takes_numbers, .run = run_top_k});

}  // namespace sdx::ops
