// CastLike: every element converted to the type of the second input.
#include "ops/convert/cast_elements.h"

namespace sdx::ops {

SDX_OP(cast_like) = {
    .name = "CastLike",
    .since = 25,
    .infer = [](InferContext& ctx) { return infer_cast_to(ctx, ctx.dtype(1)); },
    .reference = cast_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
