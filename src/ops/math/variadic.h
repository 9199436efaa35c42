// Max, Min, Sum and Mean: any number of operands that broadcast together.
#pragma once

#include "ops/elementwise.h"
#include "ops/reference.h"

namespace sdx::ops {

// Folds the operands from the left.
Status reference_variadic(KernelContext& ctx, const BinaryFunctions& fold);

// The same in float32, through a kernel of two operands.
Verdict takes_variadic_floats(const NodeFacts& facts);
Status run_variadic(KernelContext& ctx, BinaryKernel<float> fold);

// infer_broadcast for operands of which there must be one.
Result<Facts> infer_variadic(InferContext& ctx);

}  // namespace sdx::ops
