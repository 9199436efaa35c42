#include "ops/testing/op_case.h"

OP_CASES(Floor,
         {"values", {f32({6}, {1.5, -1.5, 1e20, kNaN, -kInf, 0.25})}, {f32({6}, {1, -2, 1e20, kNaN, -kInf, 0})}});
OP_SWEEP(Floor, .types = {DType::f32, DType::f16, DType::bf16});
OP_SWEEP(Floor, .types = {DType::f64});
