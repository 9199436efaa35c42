#include "ops/testing/op_case.h"

OP_CASES(Round, {"values",
                 {f32({8}, {0.9, 2.5, 2.3, 1.5, -4.5, -0.5, kNaN, kInf})},
                 {f32({8}, {1, 2, 2, 2, -4, 0, kNaN, kInf})}});
OP_SWEEP(Round, .types = {DType::f32, DType::f16, DType::bf16});
OP_SWEEP(Round, .types = {DType::f64});
