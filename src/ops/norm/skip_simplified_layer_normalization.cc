// SkipSimplifiedLayerNormalization: y = norm(x + skip + bias) * gamma over the last dimension, where norm is that of
// RMSNormalization.
#include "ops/norm/skip_norm.h"

namespace sdx::ops {

SDX_OP(skip_simplified_layer_normalization) = {
    .name = "SkipSimplifiedLayerNormalization",
    .domain = "com.microsoft",
    .since = 1,
    .infer = [](InferContext& ctx) { return infer_skip_norm(ctx, SkipNorm::rms); },
    .reference = [](KernelContext& ctx) { return reference_skip_norm(ctx, SkipNorm::rms); },
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
