// What the contract and the kernel of Tile share.
#pragma once

#include "ops/shape/strided.h"

namespace sdx::ops {

// Each dimension d repeated r times is the pair (r, d), the first with stride 0.
inline StridedView tiled_view(std::span<const int64_t> x, std::span<const int64_t> repeats) {
  StridedView view;
  const Shape strides = row_major_strides(x);
  for (size_t i = 0; i < x.size(); ++i) {
    view.shape.push_back(repeats[i]);
    view.strides.push_back(0);
    view.shape.push_back(x[i]);
    view.strides.push_back(strides[i]);
  }
  return view;
}

}  // namespace sdx::ops
