// What Scaler's contract and kernel share.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// One value each, or one a feature.
struct ScalerLists {
  std::span<const float> offset, scale;
};
Result<ScalerLists> scaler_lists(const KernelContext& ctx);

}  // namespace sdx::ops
