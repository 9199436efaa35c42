// What the contract and the kernels of GridSample share.
#pragma once

#include "ops/image/grid_axis.h"
#include "ops/op.h"

namespace sdx::ops {

Status grid_sample_reference(KernelContext& ctx);
// Of each spatial axis of the input.
Result<std::vector<GridAxis>> grid_axes(const KernelContext& ctx);

}  // namespace sdx::ops
