#pragma once

#include "ops/attention/projected_attention.h"

namespace sdx::ops {

inline constexpr ProjectedInputs kQAttentionInputs{.mask = 5, .past = 8};

}  // namespace sdx::ops
