// Gelu of com.microsoft: the standard's Gelu without its attribute.
#include "ops/activation/gelu.h"

namespace sdx::ops {

SDX_OP(contrib_gelu) = {
    .name = "Gelu",
    .domain = "com.microsoft",
    .since = 1,
    .infer = infer_gelu_with_bias,
    .reference = [](KernelContext& ctx) { return reference_gelu_with_bias(ctx, gelu); },
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(4e-6),
};

}  // namespace sdx::ops
