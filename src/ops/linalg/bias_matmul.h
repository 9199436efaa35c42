// The attributes of BiasMatMul.
#pragma once

#include "ops/linalg/fused_matmul.h"
#include "ops/math/elementwise_program.h"

namespace sdx::ops {

inline bool is_rounded(const Attributes& attributes) { return attributes.get_int("bf16", 0) == 1; }

inline constexpr size_t kFirstStepInput = 3;  // i1 of the steps; i0 is the sum of product and bias

// Nullopt where the node has none.
Result<std::optional<ElementwiseProgram>> steps_of(const Attributes& attributes, size_t inputs);

}  // namespace sdx::ops
