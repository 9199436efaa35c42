#include "ops/testing/op_case.h"

OP_CASES(Sqrt,
         {"values", {f32({6}, {4, 2, -1, 0, kInf, kNaN})}, {f32({6}, {2, 1.4142135623730951, kNaN, 0, kInf, kNaN})}},
         {"half", {f16({1}, {2})}, {f16({1}, {1.4142135623730951})}});
OP_SWEEP(Sqrt, .types = {DType::f32, DType::f16, DType::bf16});
OP_SWEEP(Sqrt, .types = {DType::f64});
