#include "ops/testing/op_case.h"

OP_CASES(Selu, {"values", {f32({4}, {-1, 0, 2, kNaN})}, {f32({4}, {-1.1113307378125625, 0, 2.101402, kNaN})}});
OP_SWEEP(Selu, .types = {DType::f32, DType::f16, DType::bf16}, .low = -20);
OP_SWEEP(Selu, .attributes = {attr("alpha", 0.5f), attr("gamma", -3.0f)}, .low = -1e-3, .high = 1e-3);
