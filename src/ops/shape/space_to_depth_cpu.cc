// SpaceToDepth of elements of whole bytes.
#include "ops/shape/space_depth.h"

namespace sdx::ops {

SDX_CPU_KERNELS(space_to_depth,
                {.name = "space_to_depth_bytes", .can_run = takes_whole_bytes, .run = [](KernelContext& ctx) {
                   return copy_view(ctx, 0, ctx.input(0), space_depth_view(ctx, SpaceDepth::space_to_depth));
                 }});

}  // namespace sdx::ops
