// Data movement as a strided view of a dense tensor: Transpose, Slice, Split, Expand, Tile and their kin each say which
// view their output is; how it is copied is written once.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// Element (i0, i1, ..) is x[offset + sum(ik * strides[k])]. Strides may be zero or negative.
struct StridedView {
  Shape shape;
  Shape strides;
  int64_t offset = 0;
};

StridedView dense_view(std::span<const int64_t> shape);
StridedView permuted(const StridedView& view, std::span<const int64_t> perm);
// Fewer dimensions over the same elements in the same order; none of size 1.
StridedView collapsed(const StridedView& view);

// Reference: writes output `index`, any element type.
Status write_view(KernelContext& ctx, size_t index, const Tensor& source, const StridedView& view);

// Kernel: input 0 has elements of whole bytes.
Verdict takes_whole_bytes(const NodeFacts& facts);
Status copy_view(KernelContext& ctx, size_t index, const Tensor& source, const StridedView& view);

// to[sum(ik * to_strides[k])] = from[sum(ik * from_strides[k])] for elements of `width` bytes; strides in elements.
struct StridedCopy {
  Shape shape, from_strides, to_strides;
};
Status copy_strided(KernelContext& ctx, size_t width, StridedCopy copy, const std::byte* from, std::byte* to);

}  // namespace sdx::ops
