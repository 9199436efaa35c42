#include "ops/testing/op_case.h"

OP_CASES(HardSwish, {"values",
                     {f32({6}, {-4, -1, 0, 2, 4, kNaN})},
                     {f32({6}, {0, -0.3333333333333333, 0, 1.6666666666666667, 4, kNaN})}});
OP_SWEEP(HardSwish, .types = {DType::f32, DType::f16});
