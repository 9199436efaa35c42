// Running sums and products along an axis.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

enum class Cumulative : uint8_t { sum, product };

Result<Facts> infer_cumulative(InferContext& ctx);
Status cumulative_reference(KernelContext& ctx, Cumulative kind);

}  // namespace sdx::ops
