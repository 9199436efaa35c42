// What the contract and the kernel of Slice share.
#pragma once

#include "ops/shape/strided.h"

namespace sdx::ops {

struct SliceRange {
  int64_t start = 0, step = 1, count = 0;
};
// The standard's clamping of a range over `size` elements. The step is not 0.
SliceRange resolve_slice(int64_t start, int64_t end, int64_t step, int64_t size);
// Input 0 under inputs starts, ends, axes and steps, which the shape rule has accepted.
StridedView sliced_view(const KernelContext& ctx);

}  // namespace sdx::ops
