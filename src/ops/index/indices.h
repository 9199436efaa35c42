// Indices that come from a tensor: negative ones count from the end, others outside are an error.
#pragma once

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

// All of an int32 or int64 tensor, brought into [0, size).
Result<std::vector<int64_t>> checked_indices(const Tensor& indices, int64_t size);

// Position of index tuples in the leading dimensions of `shape`: tuples of `width` in a row-major list.
Result<std::vector<int64_t>> checked_tuples(const Tensor& indices, int64_t width, std::span<const int64_t> shape);

// Inputs are data and indices of one rank: but on `axis`, no dimension of the indices is larger than the data's.
Status check_beside_axis(InferContext& ctx, int axis);

// Where each element of a tensor of shape `indices` lies in one of shape `data`, its coordinate on `axis` replaced by
// the index there (GatherElements, ScatterElements). Calls f(position in data, position in indices).
template <typename F>
void for_each_element_on_axis(std::span<const int64_t> data, std::span<const int64_t> indices, size_t axis,
                              std::span<const int64_t> values, F f) {
  Shape strides = row_major_strides(data);
  const int64_t axis_stride = strides[axis];
  strides[axis] = 0;
  Shape position(indices.size());
  int64_t base = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    f(base + values[i] * axis_stride, static_cast<int64_t>(i));
    for (size_t d = indices.size(); d-- > 0;) {
      base += strides[d];
      if (++position[d] < indices[d]) break;
      base -= strides[d] * indices[d];
      position[d] = 0;
    }
  }
}

// Elements of the output named by where they come from, written in runs: `from[i]` >= 0 is element from[i] of a, < 0 is
// element ~from[i] of b.
Status write_mixed(KernelContext& ctx, const Tensor& a, const Tensor& b, std::span<const int64_t> from,
                   std::span<const int64_t> shape);

}  // namespace sdx::ops
