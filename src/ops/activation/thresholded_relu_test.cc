#include "ops/testing/op_case.h"

OP_CASES(ThresholdedRelu,
         {"values", {f32({4}, {-1, 2, 2.5, kNaN})}, {f32({4}, {0, 0, 2.5, 0})}, {attr("alpha", 2.0f)}});
OP_SWEEP(ThresholdedRelu, .types = {DType::f32, DType::f16, DType::bf16});
