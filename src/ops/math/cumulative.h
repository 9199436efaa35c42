// Running sums and products along an axis.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

enum class Cumulative : uint8_t { sum, product };

Result<Facts> infer_cumulative(InferContext& ctx);
Status cumulative_reference(KernelContext& ctx, Cumulative kind);
Result<size_t> cumulative_axis(const KernelContext& ctx);

// Kernel: f32 in double as the reference, f64, and integers of 32 and 64 bits.
Verdict takes_cumulative(const NodeFacts& facts);
Status run_cumulative(KernelContext& ctx, Cumulative kind);

}  // namespace sdx::ops
