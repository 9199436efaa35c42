// What the contract and the kernel of Expand share.
#pragma once

#include "ops/shape/strided.h"

namespace sdx::ops {

// x broadcast to a shape that it fits.
inline StridedView broadcast_view(std::span<const int64_t> x, std::span<const int64_t> shape) {
  StridedView view{Shape(shape), Shape(shape.size()), 0};
  const Shape strides = row_major_strides(x);
  const size_t offset = shape.size() - x.size();
  for (size_t i = 0; i < x.size(); ++i) view.strides[offset + i] = x[i] == 1 ? 0 : strides[i];
  return view;
}

}  // namespace sdx::ops
