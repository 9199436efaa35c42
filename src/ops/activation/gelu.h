// The Gelu family: Gelu of the standard, and Gelu, FastGelu, BiasGelu and QuickGelu of com.microsoft.
#pragma once

#include "ops/elementwise.h"

namespace sdx::ops {

double gelu(double x);       // x Phi(x)
double tanh_gelu(double x);  // x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))

UnaryF32 gelu_f32();
UnaryF32 tanh_gelu_f32();

// One or two inputs: x, and a bias as long as its last dimension.
Result<Facts> infer_gelu_with_bias(InferContext& ctx);
Status reference_gelu_with_bias(KernelContext& ctx, double (*f)(double));
// Of two inputs in float32.
Verdict takes_f32_with_bias(const NodeFacts& facts);
Status run_gelu_with_bias(KernelContext& ctx, UnaryF32 kernel);

}  // namespace sdx::ops
