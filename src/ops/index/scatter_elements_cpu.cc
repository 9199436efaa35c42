// ScatterElements: float32 with every reduction, and replacing elements of 4 and 8 bytes.
#include <cstring>

#include "ops/copy_bytes.h"
#include "ops/index/axis_planes.h"
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

template <typename T, typename Index, Reduction kReduction>
Status run_scatter(KernelContext& ctx) {
  const Tensor &data = ctx.input(0), &indices = ctx.input(1), &updates = ctx.input(2);
  Tensor& y = ctx.output(0);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), data.rank()));
  SDX_TRY(copy_bytes(ctx, data, y));
  const AxisPlanes planes(data, indices, axis);
  if (!planes.regular) {
    SDX_ASSIGN(const std::vector<int64_t> values, checked_indices(indices, planes.size));
    for_each_element_on_axis(data.shape(), indices.shape(), axis, values, [&](int64_t to, int64_t i) {
      y.data<T>()[to] = reduced<T>(kReduction, y.data<T>()[to], updates.data<T>()[i]);
    });
    return {};
  }
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

Status run_f32(KernelContext& ctx) {
  SDX_ASSIGN(const Reduction reduction, reduction_of(ctx.attributes()));
  switch (reduction) {
    case Reduction::none: return run_typed<float, Reduction::none>(ctx);
    case Reduction::add: return run_typed<float, Reduction::add>(ctx);
    case Reduction::mul: return run_typed<float, Reduction::mul>(ctx);
    case Reduction::max: return run_typed<float, Reduction::max>(ctx);
    case Reduction::min: return run_typed<float, Reduction::min>(ctx);
  }
  return {};
}

Status run_replace(KernelContext& ctx) {
  return bit_width(ctx.input(0).dtype()) == 32 ? run_typed<uint32_t, Reduction::none>(ctx)
                                               : run_typed<uint64_t, Reduction::none>(ctx);
}

Verdict takes_f32(const NodeFacts& facts) { return facts.dtype(0) == DType::f32 ? yes() : no("only f32"); }

Verdict takes_replacing(const NodeFacts& facts) {
  const int bits = bit_width(facts.dtype(0));
  if (facts.attr_string("reduction", "none") != "none") return no("only reduction none");
  return bits == 32 || bits == 64 ? yes() : no("only elements of 4 or 8 bytes");
}

}  // namespace

SDX_CPU_KERNELS(scatter_elements, {.name = "scatter_elements_f32", .can_run = takes_f32, .run = run_f32},
                {.name = "scatter_elements_words", .can_run = takes_replacing, .run = run_replace});

}  // namespace sdx::ops
