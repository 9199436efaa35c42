// ScatterElements: the common numbers with every reduction, and replacing elements of 1, 2, 4 and 8 bytes.
#include <cstring>

#include "ops/copy_bytes.h"
#include "ops/index/axis_planes.h"
#include "ops/index/element_rows.h"
#include "ops/index/merge_row.h"

namespace sdx::ops {
namespace {

template <typename T, typename Index, Reduction kReduction>
struct Scatter {
  const AxisPlanes& planes;
  const Index* index;
  const T* updates;
  T* y;
  MergeRowF32 merge_row = merge_row_f32(kReduction);

  void merge(T* to, const T* from, size_t count) const {
    if constexpr (std::is_same_v<T, float>) {
      merge_row(to, from, count);
    } else {
      std::copy_n(from, count, to);
    }
  }
  // Later updates come later, so the last one wins. Returns false when an index is outside.
  bool columns(int64_t o, int64_t first, int64_t last) const {
    bool outside = false;
    for (int64_t k = 0; k < planes.picks; ++k) {
      const int64_t row = (o * planes.picks + k) * planes.inner;
      // All equal, as a row of a broadcast index is: each is the one before it.
      const Index* head = index + row + first;
      if (std::memcmp(head, head + 1, static_cast<size_t>(last - first - 1) * sizeof(Index)) == 0) {
        const int64_t at = wrapped(*head);
        if (!inside(at)) return false;
        merge(y + (o * planes.size + at) * planes.inner + first, updates + row + first,
              static_cast<size_t>(last - first));
        continue;
      }
      for (int64_t j = first; j < last; ++j) {
        const int64_t at = wrapped(index[row + j]);
        if (!inside(at)) {
          outside = true;
          continue;
        }
        T& to = y[(o * planes.size + at) * planes.inner + j];
        to = reduced<T>(kReduction, to, updates[row + j]);
      }
    }
    return !outside;
  }
  int64_t wrapped(int64_t at) const { return at < 0 ? at + planes.size : at; }
  bool inside(int64_t at) const { return static_cast<uint64_t>(at) < static_cast<uint64_t>(planes.size); }
};

// Rows along the axis do not meet and may run in parallel; others run in order.
template <typename T, typename Index, Reduction kReduction>
Status scatter_rows(KernelContext& ctx, size_t axis) {
  const Tensor &data = ctx.input(0), &indices = ctx.input(1);
  if (indices.count() == 0) return {};
  const ElementRows rows(data.shape(), indices.shape(), axis);
  T* y = ctx.output(0).data<T>();
  constexpr int64_t kElements = 16384;  // of one parallel block
  const int64_t grain = rows.along_axis ? std::max<int64_t>(1, kElements / rows.length) : rows.rows;
  std::atomic<bool> bad = false;
  SDX_TRY(parallel_ranges(ctx, rows.rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const T* from = ctx.input(2).data<T>() + row * rows.length;
      const auto each = [&](int64_t to, int64_t j) { y[to] = reduced<T>(kReduction, y[to], from[j]); };
      if (!visit_row(rows, rows.base(row), indices.data<Index>() + row * rows.length, each)) bad = true;
    }
  }));
  return bad ? index_error(indices, rows.axis_size) : Status();
}

template <typename T, typename Index, Reduction kReduction>
Status run_scatter(KernelContext& ctx) {
  const Tensor &data = ctx.input(0), &indices = ctx.input(1), &updates = ctx.input(2);
  Tensor& y = ctx.output(0);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), data.rank()));
  SDX_TRY(copy_bytes(ctx, data, y));
  const AxisPlanes planes(data, indices, axis);
  if (!planes.regular || planes.inner == 1) return scatter_rows<T, Index, kReduction>(ctx, axis);
  const Scatter<T, Index, kReduction> scatter{planes, indices.data<Index>(), updates.data<T>(), y.data<T>()};
  std::atomic<bool> bad = false;
  SDX_TRY(parallel_columns(ctx, planes, [&](int64_t o, int64_t first, int64_t last) {
    if (!scatter.columns(o, first, last)) bad = true;
  }));
  return bad ? index_error(indices, planes.size) : Status();
}

template <typename T, Reduction kReduction>
Status run_typed(KernelContext& ctx) {
  return ctx.input(1).dtype() == DType::i32 ? run_scatter<T, int32_t, kReduction>(ctx)
                                            : run_scatter<T, int64_t, kReduction>(ctx);
}

// Sums and products wrap in `Wrapping`.
template <typename T, typename Wrapping = T>
Status run_merging(KernelContext& ctx) {
  SDX_ASSIGN(const Reduction reduction, reduction_of(ctx.attributes()));
  switch (reduction) {
    case Reduction::none: return run_typed<T, Reduction::none>(ctx);
    case Reduction::add: return run_typed<Wrapping, Reduction::add>(ctx);
    case Reduction::mul: return run_typed<Wrapping, Reduction::mul>(ctx);
    case Reduction::max: return run_typed<T, Reduction::max>(ctx);
    case Reduction::min: return run_typed<T, Reduction::min>(ctx);
  }
  return {};
}

Status run_numbers(KernelContext& ctx) {
  switch (ctx.input(0).dtype()) {
    case DType::f32: return run_merging<float>(ctx);
    case DType::f64: return run_merging<double>(ctx);
    case DType::i32: return run_merging<int32_t, uint32_t>(ctx);
    default: return run_merging<int64_t, uint64_t>(ctx);
  }
}

Status run_replace(KernelContext& ctx) {
  switch (bit_width(ctx.input(0).dtype())) {
    case 8: return run_typed<uint8_t, Reduction::none>(ctx);
    case 16: return run_typed<uint16_t, Reduction::none>(ctx);
    case 32: return run_typed<uint32_t, Reduction::none>(ctx);
    default: return run_typed<uint64_t, Reduction::none>(ctx);
  }
}

Verdict takes_numbers(const NodeFacts& facts) {
  constexpr DTypeSet kTypes = set_of(DType::f32, DType::f64, DType::i32, DType::i64);
  return contains(kTypes, facts.dtype(0)) ? yes() : no("only f32, f64, i32 and i64");
}

Verdict takes_replacing(const NodeFacts& facts) {
  const int bits = bit_width(facts.dtype(0));
  if (facts.attr_string("reduction", "none") != "none") return no("only reduction none");
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? yes() : no("only elements of 1, 2, 4 or 8 bytes");
}

}  // namespace

SDX_CPU_KERNELS(scatter_elements, {.name = "scatter_elements_numbers", .can_run = takes_numbers, .run = run_numbers},
                {.name = "scatter_elements_words", .can_run = takes_replacing, .run = run_replace});

}  // namespace sdx::ops
