#include "ops/testing/op_case.h"

OP_CASES(IsNaN, {"values", {f32({4}, {0, kNaN, kInf, -kNaN})}, {boolean({4}, {0, 1, 0, 1})}},
         {"f8", {tensor(DType::f8e4m3fn, {2}, {1, kNaN})}, {boolean({2}, {0, 1})}});
OP_SWEEP(IsNaN);
OP_SWEEP(IsNaN, .types = {DType::f32, DType::f16, DType::bf16, DType::f64});
