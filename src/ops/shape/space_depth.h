// DepthToSpace and SpaceToDepth: both are transpositions of a tensor of rank 6.
#pragma once

#include "ops/shape/strided.h"

namespace sdx::ops {

enum class SpaceDepth : uint8_t { depth_to_space, space_to_depth };

Result<Facts> infer_space_depth(InferContext& ctx, SpaceDepth direction);
StridedView space_depth_view(const KernelContext& ctx, SpaceDepth direction);

}  // namespace sdx::ops
