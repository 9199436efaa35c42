#include "ops/testing/op_case.h"

OP_CASES(Atan, {"values",
                {f32({4}, {0, 1, kInf, -kInf})},
                {f32({4}, {0, 0.7853981633974483, 1.5707963267948966, -1.5707963267948966})}});
OP_SWEEP(Atan);
OP_SWEEP(Atan, .low = -1000, .high = 1000);
OP_SWEEP(Atan, .types = {DType::f16, DType::f32}, .low = -1e-3, .high = 1e-3);
