#include "ops/testing/op_case.h"

OP_CASES(Atan, {"values",
                {f32({4}, {0, 1, kInf, -kInf})},
                {f32({4}, {0, 0.7853981633974483, 1.5707963267948966, -1.5707963267948966})}});
