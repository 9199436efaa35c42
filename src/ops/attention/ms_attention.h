#pragma once

#include "ops/attention/projected_attention.h"

namespace sdx::ops {

inline constexpr ProjectedInputs kAttentionInputs{.score_bias = 5};

}  // namespace sdx::ops
