// GatherElements and ScatterElements as loops: data [outer, size, inner], indices [outer, picks, inner]. Columns
// (outer, inner) do not touch each other, so they may run in parallel.
#pragma once

#include <atomic>

#include "ops/index/indices.h"

namespace sdx::ops {

struct AxisPlanes {
  int64_t outer = 1, size = 0, picks = 0, inner = 1;
  bool regular = false;  // all other dimensions are equal

  AxisPlanes(const Tensor& data, const Tensor& indices, size_t axis)
      : outer(count_range(indices.shape(), 0, axis)),
        size(data.shape()[axis]),
        picks(indices.shape()[axis]),
        inner(count_range(indices.shape(), axis + 1, indices.shape().size())),
        regular(true) {
    for (size_t i = 0; i < data.shape().size(); ++i)
      regular = regular && (i == axis || data.shape()[i] == indices.shape()[i]);
  }
};

// The error of the first index outside; an InternalError when there is none.
inline Status index_error(const Tensor& indices, int64_t size) {
  auto list = checked_indices(indices, size);
  SDX_CHECK(!list.ok(), "a kernel found an index outside where there is none");
  return std::move(list).status();
}

// Calls work(outer, first column, last column) in parallel blocks.
template <typename Work>
Status parallel_columns(KernelContext& ctx, const AxisPlanes& planes, Work work) {
  if (planes.outer == 0 || planes.inner == 0) return {};
  constexpr int64_t kElements = 8192, kColumns = 64;
  if (planes.picks * planes.inner <= kElements) {
    const int64_t together = std::max<int64_t>(1, kElements / std::max<int64_t>(1, planes.picks * planes.inner));
    return parallel_ranges(ctx, planes.outer, together, [&](int64_t begin, int64_t end) {
      for (int64_t o = begin; o < end; ++o) work(o, 0, planes.inner);
    });
  }
  const int64_t strips = (planes.inner + kColumns - 1) / kColumns;
  return parallel_ranges(ctx, planes.outer * strips, 1, [&](int64_t block, int64_t) {
    const int64_t first = block % strips * kColumns;
    work(block / strips, first, std::min(first + kColumns, planes.inner));
  });
}

}  // namespace sdx::ops
