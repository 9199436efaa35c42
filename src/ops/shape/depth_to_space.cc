// DepthToSpace: moves blocks of channels into blocks of rows and columns. DCR: the block's place counts before the
// channel; CRD: after it.
#include "ops/shape/space_depth.h"

namespace sdx::ops {

SDX_OP(depth_to_space) = {
    .name = "DepthToSpace",
    .since = 28,
    .infer = [](InferContext& ctx) { return infer_space_depth(ctx, SpaceDepth::depth_to_space); },
    .reference =
        [](KernelContext& ctx) {
          return write_view(ctx, 0, ctx.input(0), space_depth_view(ctx, SpaceDepth::depth_to_space));
        },
    .records_constraints = true,
};

}  // namespace sdx::ops
