#include "ops/testing/op_case.h"

OP_CASES(Softsign, {"values", {f32({4}, {-1, 0, 3, kInf})}, {f32({4}, {-0.5, 0, 0.75, kNaN})}});
OP_SWEEP(Softsign, .types = {DType::f32, DType::f16});
