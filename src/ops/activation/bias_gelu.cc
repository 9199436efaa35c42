// BiasGelu of com.microsoft: Gelu of x + bias.
#include "ops/activation/gelu.h"

namespace sdx::ops {

SDX_OP(bias_gelu) = {
    .name = "BiasGelu",
    .domain = "com.microsoft",
    .since = 1,
    .infer = infer_gelu_with_bias,
    .reference = [](KernelContext& ctx) { return reference_gelu_with_bias(ctx, gelu); },
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(4e-6),
};

}  // namespace sdx::ops
