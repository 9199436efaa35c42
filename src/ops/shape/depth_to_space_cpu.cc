// DepthToSpace of elements of whole bytes.
#include "ops/shape/space_depth.h"

namespace sdx::ops {

SDX_CPU_KERNELS(depth_to_space,
                {.name = "depth_to_space_bytes", .can_run = takes_whole_bytes, .run = [](KernelContext& ctx) {
                   return copy_view(ctx, 0, ctx.input(0), space_depth_view(ctx, SpaceDepth::depth_to_space));
                 }});

}  // namespace sdx::ops
