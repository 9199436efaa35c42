// ScatterND: replacing elements of whole bytes, and merging the common numbers. Columns of long slices do not touch
// each other, so they may run in parallel; updates of one element stay in order.
#include <cstring>

#include "ops/copy_bytes.h"
#include "ops/index/indices.h"
#include "ops/index/merge_row.h"
#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

constexpr int64_t kStripBytes = 4096;            // of a slice
constexpr int64_t kFewBytes = int64_t{1} << 17;  // of updates that one thread writes at once

template <typename T, Reduction kReduction>
struct Merge {
  MergeRowF32 row = merge_row_f32(kReduction);
  void operator()(T* to, const T* from, int64_t count) const {
    if constexpr (kReduction == Reduction::none) {
      if (count > 1) std::memcpy(to, from, static_cast<size_t>(count) * sizeof(T));
      if (count == 1) *to = *from;
    } else {
      if constexpr (std::is_same_v<T, float>) {
        if (count >= 8) return row(to, from, static_cast<size_t>(count));
      }
      for (int64_t i = 0; i < count; ++i) to[i] = reduced<T>(kReduction, to[i], from[i]);
    }
  }
};

template <typename T, Reduction kReduction>
Status run_scatter(KernelContext& ctx) {
  const Tensor &data = ctx.input(0), &indices = ctx.input(1), &updates = ctx.input(2);
  Tensor& y = ctx.output(0);
  const int64_t width = indices.shape().back();
  SDX_ASSIGN(const std::vector<int64_t> slices, checked_tuples(indices, width, data.shape()));
  SDX_TRY(copy_bytes(ctx, data, y));
  if (updates.count() == 0) return {};
  const int64_t size = updates.count() / static_cast<int64_t>(slices.size());
  const int64_t strip = static_cast<int64_t>(updates.byte_size()) <= kFewBytes
                            ? size
                            : std::min(size, kStripBytes / static_cast<int64_t>(sizeof(T)));
  const Merge<T, kReduction> merge;
  return parallel_ranges(ctx, size, strip, [&](int64_t first, int64_t last) {
    const T* from = updates.data<T>() + first;
    T* to = y.data<T>() + first;
    for (size_t i = 0; i < slices.size(); ++i, from += size) merge(to + slices[i] * size, from, last - first);
  });
}

// Sums and products wrap in `Wrapping`.
template <typename T, typename Wrapping = T>
Status run_merging(KernelContext& ctx) {
  SDX_ASSIGN(const Reduction reduction, reduction_of(ctx.attributes()));
  switch (reduction) {
    case Reduction::add: return run_scatter<Wrapping, Reduction::add>(ctx);
    case Reduction::mul: return run_scatter<Wrapping, Reduction::mul>(ctx);
    case Reduction::max: return run_scatter<T, Reduction::max>(ctx);
    default: return run_scatter<T, Reduction::min>(ctx);
  }
}

Status run_numbers(KernelContext& ctx) {
  switch (ctx.input(0).dtype()) {
    case DType::f32: return run_merging<float>(ctx);
    case DType::f64: return run_merging<double>(ctx);
    case DType::i32: return run_merging<int32_t, uint32_t>(ctx);
    default: return run_merging<int64_t, uint64_t>(ctx);
  }
}

Status run_replacing(KernelContext& ctx) {
  struct Sixteen {
    uint64_t low, high;
  };
  switch (bit_width(ctx.input(0).dtype())) {
    case 8: return run_scatter<uint8_t, Reduction::none>(ctx);
    case 16: return run_scatter<uint16_t, Reduction::none>(ctx);
    case 32: return run_scatter<uint32_t, Reduction::none>(ctx);
    case 64: return run_scatter<uint64_t, Reduction::none>(ctx);
    default: return run_scatter<Sixteen, Reduction::none>(ctx);
  }
}

Verdict takes_replacing(const NodeFacts& facts) {
  return facts.attr_string("reduction", "none") == "none" ? takes_whole_bytes(facts) : no("only reduction none");
}

Verdict takes_merging(const NodeFacts& facts) {
  if (facts.attr_string("reduction", "none") == "none") return no("only reductions");
  constexpr DTypeSet kTypes = set_of(DType::f32, DType::f64, DType::i32, DType::i64);
  return contains(kTypes, facts.dtype(0)) ? yes() : no("only f32, f64, i32 and i64");
}

}  // namespace

SDX_CPU_KERNELS(scatter_nd, {.name = "scatter_nd_bytes", .can_run = takes_replacing, .run = run_replacing},
                {.name = "scatter_nd_numbers", .can_run = takes_merging, .run = run_numbers});

}  // namespace sdx::ops
