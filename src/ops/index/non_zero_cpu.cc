// NonZero of elements of 1, 2, 4 and 8 bytes: blocks are counted first, then each writes its part of every row.
#include <algorithm>

#include "ops/index/set_positions.h"
#include "ops/op.h"

namespace sdx::ops {
namespace {

constexpr int64_t kBlock = 16384, kPiece = 1024;  // elements

// The coordinates of elements that are asked for in rising order.
class Coordinates {
 public:
  Coordinates(std::span<const int64_t> shape, int64_t* y, int64_t count) : shape_(shape), y_(y), count_(count) {}

  // Of the elements at first + positions[0 .. found), from place `at` of the output on.
  void write(int64_t first, const uint32_t* positions, int64_t found, int64_t at) {
    const size_t last = shape_.size() - 1;
    for (int64_t i = 0; i < found;) {
      enter_row(first + positions[i]);
      int64_t end = i;
      for (; end < found && first + positions[end] < row_ + shape_[last]; ++end)
        y_[static_cast<int64_t>(last) * count_ + at + end] = first + positions[end] - row_;
      for (size_t axis = 0; axis < last; ++axis)
        std::fill(y_ + static_cast<int64_t>(axis) * count_ + at + i,
                  y_ + static_cast<int64_t>(axis) * count_ + at + end, place_[axis]);
      i = end;
    }
  }

 private:
  void enter_row(int64_t element) {
    const int64_t size = shape_.back();
    if (!place_.empty() && element < row_ + size) return;
    int64_t rest = element / size;
    row_ = rest * size;
    place_.resize(shape_.size());
    for (size_t axis = shape_.size() - 1; axis-- > 0; rest /= shape_[axis]) place_[axis] = rest % shape_[axis];
  }

  std::span<const int64_t> shape_;
  int64_t* y_;
  int64_t count_, row_ = 0;  // the first element of the row
  Shape place_;
};

template <typename Word>
Status find(KernelContext& ctx, Word mask) {
  const Tensor& x = ctx.input(0);
  const int64_t total = x.count();
  const Word* from = x.data<Word>();
  std::vector<int64_t> begins(static_cast<size_t>((total + kBlock - 1) / kBlock) + 1);
  SDX_TRY(parallel_ranges(ctx, total, kBlock, [&](int64_t begin, int64_t end) {
    begins[static_cast<size_t>(begin / kBlock) + 1] = count_set(from + begin, end - begin, mask);
  }));
  for (size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  const int64_t count = begins.back();
  SDX_ASSIGN(Tensor* const y, ctx.allocate_output(0, Shape{static_cast<int64_t>(x.rank()), count}));
  return parallel_ranges(ctx, count == 0 ? 0 : total, kBlock, [&](int64_t begin, int64_t end) {
    const size_t block = static_cast<size_t>(begin / kBlock);
    if (begins[block] == begins[block + 1]) return;
    Coordinates coordinates(x.shape(), y->data<int64_t>(), count);
    uint32_t positions[kPiece];
    for (int64_t first = begin, at = begins[block]; first < end; first += kPiece) {
      const int64_t found = set_positions(from + first, std::min(kPiece, end - first), mask, positions);
      coordinates.write(first, positions, found, at);
      at += found;
    }
  });
}

Verdict takes_words(const NodeFacts& facts) {
  const int bits = bit_width(facts.dtype(0));
  if (is_complex(facts.dtype(0)) || !facts.has_rank(0) || facts.rank(0) == 0) return no("only tensors of numbers");
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? yes() : no("only elements of 1, 2, 4 or 8 bytes");
}

// Of a floating type, the sign is nothing.
template <typename Word>
Status find_words(KernelContext& ctx) {
  constexpr Word kAll = static_cast<Word>(~Word{0});
  return find<Word>(ctx, is_floating(ctx.input(0).dtype()) ? static_cast<Word>(kAll >> 1) : kAll);
}

Status run_non_zero(KernelContext& ctx) {
  switch (bit_width(ctx.input(0).dtype())) {
    case 8: return find_words<uint8_t>(ctx);
    case 16: return find_words<uint16_t>(ctx);
    case 32: return find_words<uint32_t>(ctx);
    default: return find_words<uint64_t>(ctx);
  }
}

}  // namespace

SDX_CPU_KERNELS(non_zero, {.name = "non_zero_words", .can_run = takes_words, .run = run_non_zero});

}  // namespace sdx::ops
