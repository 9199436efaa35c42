#include "ops/testing/op_case.h"

OP_CASES(Ceil,
         {"values", {f32({6}, {1.5, -1.5, 1e20, kNaN, -kInf, -0.25})}, {f32({6}, {2, -1, 1e20, kNaN, -kInf, -0.0})}});
OP_SWEEP(Ceil, .types = {DType::f32, DType::f16, DType::bf16});
OP_SWEEP(Ceil, .types = {DType::f64});
