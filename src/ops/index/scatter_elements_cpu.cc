// ScatterElements: the places of a piece of the updates are found first, then the updates are merged there, in order.
#include <atomic>
#include <cstring>

#include "ops/copy_bytes.h"
#include "ops/index/axis_planes.h"
#include "ops/index/element_rows.h"
#include "ops/index/merges.h"

namespace sdx::ops {
namespace {

constexpr int64_t kPiece = 1024;

struct Target {
  Merges merges;
  std::byte* y;
  const std::byte* updates;
  void places(int64_t first, const int64_t* places, int64_t count) const {
    merges.places(y, updates + first * merges.width, places, count);
  }
  void row(int64_t to, int64_t from, int64_t count) const {
    merges.row(y + to * merges.width, updates + from * merges.width, count);
  }
};

// Columns [first, last) of one outer position. Returns false when an index is outside.
template <typename Index>
bool scatter_columns(const AxisPlanes& planes, const Index* index, const Target& target, int64_t o, int64_t first,
                     int64_t last) {
  int64_t places[kPiece];
  for (int64_t k = 0; k < planes.picks; ++k) {
    const int64_t row = (o * planes.picks + k) * planes.inner;
    // All equal, as a row of a broadcast index is: each is the one before it.
    const Index* head = index + row + first;
    if (std::memcmp(head, head + 1, static_cast<size_t>(last - first - 1) * sizeof(Index)) == 0) {
      const int64_t at = *head < 0 ? *head + planes.size : *head;
      if (at < 0 || at >= planes.size) return false;
      target.row((o * planes.size + at) * planes.inner + first, row + first, last - first);
      continue;
    }
    for (int64_t begin = first; begin < last; begin += kPiece) {
      const int64_t count = std::min(kPiece, last - begin);
      for (int64_t j = 0; j < count; ++j) {
        const int64_t given = index[row + begin + j], at = given < 0 ? given + planes.size : given;
        if (at < 0 || at >= planes.size) return false;
        places[j] = (o * planes.size + at) * planes.inner + begin + j;
      }
      target.places(row + begin, places, count);
    }
  }
  return true;
}

template <typename Index>
Status run_scatter(KernelContext& ctx) {
  const Tensor &data = ctx.input(0), &indices = ctx.input(1);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), data.rank()));
  SDX_ASSIGN(const Merges merges, merges_of(ctx));
  SDX_TRY(copy_bytes(ctx, data, ctx.output(0)));
  if (indices.count() == 0) return {};
  const Target target{merges, ctx.output(0).bytes(), ctx.input(2).bytes()};
  const Index* index = indices.data<Index>();
  std::atomic<bool> bad = false;
  const AxisPlanes planes(data, indices, axis);
  if (planes.regular && planes.inner > 1) {
    SDX_TRY(parallel_columns(ctx, planes, [&](int64_t o, int64_t first, int64_t last) {
      if (!scatter_columns(planes, index, target, o, first, last)) bad = true;
    }));
    return bad ? index_error(indices, planes.size) : Status();
  }
  // Rows along the axis do not meet and may run in parallel; others run in order.
  const ElementRows rows(data.shape(), indices.shape(), axis);
  constexpr int64_t kElements = 16384;  // of one parallel block
  const int64_t grain = rows.along_axis ? std::max<int64_t>(1, kElements / rows.length) : rows.rows;
  SDX_TRY(parallel_ranges(ctx, rows.rows, grain, [&](int64_t begin, int64_t end) {
    int64_t places[kPiece];
    for (int64_t row = begin; row < end; ++row) {
      for (int64_t first = 0; first < rows.length; first += kPiece) {
        const int64_t count = std::min(kPiece, rows.length - first), at = row * rows.length + first;
        if (!find_places(rows, rows.base(row) + first * rows.step, index + at, count, places)) {
          bad = true;
        } else {
          target.places(at, places, count);
        }
      }
    }
  }));
  return bad ? index_error(indices, rows.axis_size) : Status();
}

Status run_scatter_elements(KernelContext& ctx) {
  return ctx.input(1).dtype() == DType::i32 ? run_scatter<int32_t>(ctx) : run_scatter<int64_t>(ctx);
}

}  // namespace

SDX_CPU_KERNELS(scatter_elements,
                {.name = "scatter_elements_numbers", .can_run = takes_merges, .run = run_scatter_elements});

}  // namespace sdx::ops
