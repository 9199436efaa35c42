// What ArrayFeatureExtractor's contract and kernel share.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// Whether all indices lie in [0, width).
Status check_features(const Shape& indices, int64_t width);

}  // namespace sdx::ops
