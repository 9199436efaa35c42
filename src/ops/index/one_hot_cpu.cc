// OneHot with values of 1, 2, 4 and 8 bytes: filled with the one, then the other is put in.
#include <algorithm>

#include "base/stop_point.h"
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

constexpr int64_t kBlockElements = 16384;

int64_t index_at(const Tensor& indices, int64_t i) {
  switch (indices.dtype()) {
    case DType::i64: return indices.data<int64_t>()[i];
    case DType::i32: return indices.data<int32_t>()[i];
    default: return is_floating(indices.dtype()) ? double_to_i64(load_double(indices, i)) : load_i64(indices, i);
  }
}

// Of one outer position, columns [first, last) of `inner`.
template <typename Word>
struct Hot {
  const Tensor& indices;
  int64_t depth, inner;
  Word off, on;
  Word* y;

  void write(int64_t o, int64_t first, int64_t last) const {
    Word* to = y + o * depth * inner;
    if (last - first == inner) {
      std::fill_n(to, depth * inner, off);
    } else {
      for (int64_t d = 0; d < depth; ++d) std::fill(to + d * inner + first, to + d * inner + last, off);
    }
    for (int64_t i = first; i < last; ++i) {
      const int64_t given = index_at(indices, o * inner + i),
                    hot = given < 0 && given >= -depth ? given + depth : given;
      if (hot >= 0 && hot < depth) to[hot * inner + i] = on;
    }
  }
};

template <typename Word>
Status run_words(KernelContext& ctx) {
  const Tensor &indices = ctx.input(0), &values = ctx.input(2);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", -1), indices.rank() + 1));
  const int64_t depth = y.shape()[axis];
  const int64_t outer = count_range(y.shape(), 0, axis), inner = count_range(y.shape(), axis + 1, y.shape().size());
  const Word* two = values.data<Word>();
  const Hot<Word> hot{indices, depth, inner, two[0], two[1], y.data<Word>()};
  const int64_t strip = std::min(inner, std::max<int64_t>(64, kBlockElements / depth));
  const int64_t strips = (inner + strip - 1) / strip;
  const int64_t together = std::max<int64_t>(1, kBlockElements / (strip * depth));
  return parallel_ranges(ctx, outer * strips, together, [&](int64_t begin, int64_t end) {
    const StopScope stops(ctx.environment().cancel);
    for (int64_t block = begin; block < end; ++block) {
      const int64_t first = block % strips * strip;
      hot.write(block / strips, first, std::min(first + strip, inner));
    }
  });
}

Status run_one_hot(KernelContext& ctx) {
  switch (bit_width(ctx.input(2).dtype())) {
    case 8: return run_words<uint8_t>(ctx);
    case 16: return run_words<uint16_t>(ctx);
    case 32: return run_words<uint32_t>(ctx);
    default: return run_words<uint64_t>(ctx);
  }
}

Verdict takes_words(const NodeFacts& facts) {
  const int bits = bit_width(facts.dtype(2));
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? yes() : no("only values of 1, 2, 4 or 8 bytes");
}

}  // namespace

SDX_CPU_KERNELS(one_hot, {.name = "one_hot_words", .can_run = takes_words, .run = run_one_hot});

}  // namespace sdx::ops
