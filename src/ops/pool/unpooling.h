// What MaxUnpool's reference and kernel share.
#pragma once

#include "ops/windows.h"

namespace sdx::ops {

// The shape that indices count in: (in - 1) * stride + kernel - pads along the spatial axes.
struct UnpoolSizes {
  Shape inner;
  int64_t count = 0;
};
Result<UnpoolSizes> unpool_sizes(KernelContext& ctx);

}  // namespace sdx::ops
