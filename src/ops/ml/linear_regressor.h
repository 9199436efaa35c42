// What LinearRegressor's contract and kernel share.
#pragma once

#include "ops/ml/ml_common.h"

namespace sdx::ops {

Status run_linear_regressor(KernelContext& ctx, DotsOfRows dots);

}  // namespace sdx::ops
