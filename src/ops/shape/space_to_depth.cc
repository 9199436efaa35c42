// SpaceToDepth: moves blocks of rows and columns into channels. DCR: the block's place counts before the channel; CRD:
// after it.
#include "ops/shape/space_depth.h"

namespace sdx::ops {

SDX_OP(space_to_depth) = {
    .name = "SpaceToDepth",
    .since = 28,
    .infer = [](InferContext& ctx) { return infer_space_depth(ctx, SpaceDepth::space_to_depth); },
    .reference =
        [](KernelContext& ctx) {
          return write_view(ctx, 0, ctx.input(0), space_depth_view(ctx, SpaceDepth::space_to_depth));
        },
    .records_constraints = true,
};

}  // namespace sdx::ops
