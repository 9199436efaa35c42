// Pad of elements of whole bytes. A row is all that follows the axes before the last padded one: what is put before the
// data, the data, and what is put after it. Each byte is written once.
#include <algorithm>
#include <cstring>

#include "ops/shape/copy_row.h"
#include "ops/shape/pad.h"
#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

constexpr int64_t kBlockBytes = 65536;  // of one parallel block
constexpr int64_t kFill = -1;           // the constant stands there

struct Sixteen {
  uint64_t low, high;
};

// The last padded axis; a position is `each` bytes.
class PaddedRow {
 public:
  // `fill` is null where elements are repeated.
  PaddedRow(const PaddedAxis& axis, int64_t each, int64_t width, const std::byte* fill)
      : each_(each),
        width_(width),
        before_(std::min(axis.before, axis.size)),
        kept_(std::max<int64_t>(axis.kept, 0)),
        size_(axis.size),
        first_(axis.first),
        fill_(fill) {
    if (fill != nullptr) return;
    for (int64_t at = 0; at < before_; ++at) beside_.push_back(axis.source(at));
    for (int64_t at = before_ + kept_; at < size_; ++at) beside_.push_back(axis.source(at));
  }
  int64_t bytes() const { return size_ * each_; }

  // `count` rows of the result from the rows of the data that are named, kFill for the constant.
  void write(std::byte* y, const std::byte* x, int64_t x_row, const int64_t* sources, int64_t count) const {
    switch (each_ == width_ ? width_ : 0) {
      case 1: return write_words<uint8_t>(y, x, x_row, sources, count);
      case 2: return write_words<uint16_t>(y, x, x_row, sources, count);
      case 4: return write_words<uint32_t>(y, x, x_row, sources, count);
      case 8: return write_words<uint64_t>(y, x, x_row, sources, count);
      default: break;
    }
    for (int64_t row = 0; row < count; ++row)
      write_part(y + row * bytes(), sources[row] == kFill ? nullptr : x + sources[row] * x_row, 0, size_);
  }
  // Positions [begin, end) of one row; x is null where all of it is the constant.
  void write_part(std::byte* y, const std::byte* x, int64_t begin, int64_t end) const {
    if (x == nullptr) return put_fill(y + begin * each_, (end - begin) * each_);
    put_beside(y, x, begin, std::min(end, before_));
    const int64_t from = std::max(begin, before_), to = std::min(end, before_ + kept_);
    if (from < to)
      std::memcpy(y + from * each_, x + (first_ + from - before_) * each_, static_cast<size_t>((to - from) * each_));
    put_beside(y, x, std::max(begin, before_ + kept_), end);
  }

 private:
  template <typename Word>
  void write_words(std::byte* y, const std::byte* x, int64_t x_row, const int64_t* sources, int64_t count) const {
    Word fill{};
    if (fill_ != nullptr) std::memcpy(&fill, fill_, sizeof fill);
    const int64_t after = size_ - before_ - kept_;
    for (int64_t row = 0; row < count; ++row) {
      auto* to = reinterpret_cast<Word*>(y + row * bytes());
      if (sources[row] == kFill) {
        std::fill_n(to, size_, fill);
        continue;
      }
      const auto* from = reinterpret_cast<const Word*>(x + sources[row] * x_row);
      copy_row(reinterpret_cast<std::byte*>(to + before_), reinterpret_cast<const std::byte*>(from + first_),
               static_cast<size_t>(kept_) * sizeof(Word));
      put_few(to, from, beside_.data(), before_, fill);
      put_few(to + before_ + kept_, from, beside_.data() + before_, after, fill);
    }
  }
  template <typename Word>
  void put_few(Word* to, const Word* from, const int64_t* sources, int64_t count, Word fill) const {
    if (fill_ != nullptr) {
      for (int64_t i = 0; i < count; ++i) to[i] = fill;
    } else {
      for (int64_t i = 0; i < count; ++i) to[i] = from[sources[i]];
    }
  }
  template <typename Word>
  void fill_words(std::byte* to, int64_t bytes) const {
    Word word;
    std::memcpy(&word, fill_, sizeof word);
    std::fill_n(reinterpret_cast<Word*>(to), bytes / static_cast<int64_t>(sizeof(Word)), word);
  }
  void put_fill(std::byte* to, int64_t bytes) const {
    if (std::all_of(fill_, fill_ + width_, [&](std::byte byte) { return byte == *fill_; })) {
      std::memset(to, static_cast<int>(*fill_), static_cast<size_t>(bytes));
      return;
    }
    switch (width_) {
      case 1: return fill_words<uint8_t>(to, bytes);
      case 2: return fill_words<uint16_t>(to, bytes);
      case 4: return fill_words<uint32_t>(to, bytes);
      case 8: return fill_words<uint64_t>(to, bytes);
      default: return fill_words<Sixteen>(to, bytes);
    }
  }
  void put_beside(std::byte* y, const std::byte* x, int64_t begin, int64_t end) const {
    if (begin >= end) return;
    if (fill_ != nullptr) return put_fill(y + begin * each_, (end - begin) * each_);
    const int64_t* sources = beside_.data() - (begin < before_ ? 0 : kept_);
    for (int64_t at = begin; at < end; ++at)
      std::memcpy(y + at * each_, x + sources[at] * each_, static_cast<size_t>(each_));
  }

  int64_t each_, width_;                  // bytes: a position, an element
  int64_t before_, kept_, size_, first_;  // positions
  std::vector<int64_t> beside_;           // where those beside the data come from
  const std::byte* fill_;
};

// Where each row of the result comes from, along the last axis that is outside of rows.
class RowSources {
 public:
  RowSources(const Tensor& x, const Padding& padding, size_t axes, std::string_view mode) : shape_(x.shape()) {
    for (size_t axis = 0; axis < axes; ++axis) {
      const PaddedAxis padded(shape_[axis], padding.before[axis], padding.after[axis], mode);
      std::vector<int64_t>& sources = sources_.emplace_back(static_cast<size_t>(padded.size));
      for (int64_t at = 0; at < padded.size; ++at) sources[static_cast<size_t>(at)] = padded.source(at);
    }
    if (axes == 0) sources_.push_back({0});
  }
  // Calls work(row, rows of the data, count) for rows [begin, end) of the result.
  template <typename Work>
  void visit(int64_t begin, int64_t end, Work work) const {
    const std::vector<int64_t>& along = sources_.back();
    const auto size = static_cast<int64_t>(along.size());
    std::vector<int64_t> rows(along.size());
    while (begin < end) {
      const int64_t place = begin % size, count = std::min(size - place, end - begin);
      const int64_t base = outer_source(begin / size);
      for (int64_t i = 0; i < count; ++i) {
        const int64_t at = along[static_cast<size_t>(place + i)];
        rows[static_cast<size_t>(i)] = base == kFill || at == kFill ? kFill : base + at;
      }
      work(begin, rows.data(), count);
      begin += count;
    }
  }

 private:
  // Of the axes before the last: the first row of the data, or kFill.
  int64_t outer_source(int64_t index) const {
    const size_t last = sources_.size() - 1;
    int64_t source = 0, rows = last < shape_.size() ? shape_[last] : 1;
    for (size_t axis = last; axis-- > 0; rows *= shape_[axis]) {
      const auto size = static_cast<int64_t>(sources_[axis].size());
      const int64_t at = sources_[axis][static_cast<size_t>(index % size)];
      if (at == kFill) return kFill;
      source += at * rows;
      index /= size;
    }
    return source;
  }

  std::span<const int64_t> shape_;
  std::vector<std::vector<int64_t>> sources_;
};

Status run_pad(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const int64_t width = bit_width(x.dtype()) / 8;
  const std::string_view mode = ctx.attr_string("mode", "constant");
  const std::byte zero[16] = {};
  const std::byte* fill = nullptr;
  if (mode == "constant") fill = ctx.has_input(2) ? ctx.input(2).bytes() : zero;
  const Padding padding = padding_of(ctx);
  size_t last = x.shape().size() - 1;
  while (last > 0 && padding.before[last] == 0 && padding.after[last] == 0) --last;
  const int64_t each = count_range(x.shape(), last + 1, x.shape().size()) * width;
  const PaddedRow row({x.shape()[last], padding.before[last], padding.after[last], mode}, each, width, fill);
  const RowSources sources(x, padding, last, mode);
  const int64_t x_row = x.shape()[last] * each, rows = count_range(y.shape(), 0, last);
  if (row.bytes() > kBlockBytes) {
    const int64_t size = row.bytes() / each, piece = std::max<int64_t>(1, kBlockBytes / each);
    const int64_t pieces = (size + piece - 1) / piece;
    return parallel_ranges(ctx, rows * pieces, 1, [&](int64_t block, int64_t) {
      const int64_t begin = block % pieces * piece;
      sources.visit(block / pieces, block / pieces + 1, [&](int64_t at, const int64_t* from, int64_t) {
        row.write_part(y.bytes() + at * row.bytes(), *from == kFill ? nullptr : x.bytes() + *from * x_row, begin,
                       std::min(begin + piece, size));
      });
    });
  }
  return parallel_ranges(ctx, rows, kBlockBytes / row.bytes(), [&](int64_t begin, int64_t end) {
    sources.visit(begin, end, [&](int64_t at, const int64_t* from, int64_t count) {
      row.write(y.bytes() + at * row.bytes(), x.bytes(), x_row, from, count);
    });
  });
}

Verdict takes_dimensions(const NodeFacts& facts) {
  return facts.has_rank(0) && facts.rank(0) > 0 ? takes_whole_bytes(facts) : no("only tensors with dimensions");
}

}  // namespace

SDX_CPU_KERNELS(pad, {.name = "pad_bytes", .can_run = takes_dimensions, .run = run_pad});

}  // namespace sdx::ops
