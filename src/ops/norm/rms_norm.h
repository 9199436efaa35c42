// RMS normalisation, for RMSNormalization and its older name SimplifiedLayerNormalization.
#pragma once

#include "ops/norm/norm.h"

namespace sdx::ops {

// y = x / sqrt(mean(x * x) + epsilon) * scale over rows; output `inverse` (0: none) gets 1 / sqrt(mean(x * x) +
// epsilon).
Status reference_rms_norm(KernelContext& ctx, size_t inverse);
Status run_rms_norm_f32(KernelContext& ctx, size_t inverse);

}  // namespace sdx::ops
