// What SkipLayerNormalization and SkipSimplifiedLayerNormalization share: s = x + skip + bias, normalised over its last
// dimension. skip may lack leading dimensions of x or have 1 there. Outputs: y, mean, 1 / deviation, s.
#pragma once

#include "ops/norm/norm.h"

namespace sdx::ops {

enum class SkipNorm { layer, rms };
constexpr float kSkipNormEpsilon = 1e-12F;  // the attribute's default

Result<Facts> infer_skip_norm(InferContext& ctx, SkipNorm kind);
Status reference_skip_norm(KernelContext& ctx, SkipNorm kind);
Status run_skip_norm_f32(KernelContext& ctx, SkipNorm kind);
// Inputs beta (layer only, else none) and bias.
constexpr size_t skip_norm_beta(SkipNorm kind) { return kind == SkipNorm::layer ? 3 : ~size_t{0}; }
constexpr size_t skip_norm_bias(SkipNorm kind) { return kind == SkipNorm::layer ? 4 : 3; }

}  // namespace sdx::ops
