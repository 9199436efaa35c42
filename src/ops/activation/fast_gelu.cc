// FastGelu of com.microsoft: Gelu of x + bias by the tanh formula; the bias is optional.
#include "ops/activation/gelu.h"

namespace sdx::ops {

SDX_OP(fast_gelu) = {
    .name = "FastGelu",
    .domain = "com.microsoft",
    .since = 1,
    .infer = infer_gelu_with_bias,
    .reference = [](KernelContext& ctx) { return reference_gelu_with_bias(ctx, tanh_gelu); },
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(4e-6),
};

}  // namespace sdx::ops
