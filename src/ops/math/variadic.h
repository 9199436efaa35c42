// Max, Min, Sum and Mean: any number of operands that broadcast together.
#pragma once

#include "ops/native_loops.h"
#include "ops/reference.h"

namespace sdx::ops {

// Folds the operands from the left.
Status reference_variadic(KernelContext& ctx, const BinaryFunctions& fold);

// The same through loops of two operands: of floats in float32, of the types of native_loop.
Status run_variadic(KernelContext& ctx, BinaryKernel<float> fold);
Status run_variadic_native(KernelContext& ctx, Native op);
// The mean in double, of float or double.
template <typename T>
Status run_mean(KernelContext& ctx);

// infer_broadcast for operands of which there must be one.
Result<Facts> infer_variadic(InferContext& ctx);

}  // namespace sdx::ops
