// SkipLayerNormalization: y = norm(x + skip + bias) * gamma + beta over the last dimension, where norm is that of
// LayerNormalization.
#include "ops/norm/skip_norm.h"

namespace sdx::ops {

SDX_OP(skip_layer_normalization) = {
    .name = "SkipLayerNormalization",
    .domain = "com.microsoft",
    .since = 1,
    .infer = [](InferContext& ctx) { return infer_skip_norm(ctx, SkipNorm::layer); },
    .reference = [](KernelContext& ctx) { return reference_skip_norm(ctx, SkipNorm::layer); },
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
