#include "ops/testing/op_case.h"

OP_CASES(Reciprocal, {"values", {f32({5}, {4, -2, 0, -0.0, kInf})}, {f32({5}, {0.25, -0.5, kInf, -kInf, 0})}});
OP_SWEEP(Reciprocal, .types = {DType::f32, DType::f16, DType::bf16});
OP_SWEEP(Reciprocal, .types = {DType::f64});
