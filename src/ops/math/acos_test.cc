#include "ops/testing/op_case.h"

OP_CASES(Acos, {"values", {f32({4}, {0, 1, -1, 2})}, {f32({4}, {1.5707963267948966, 0, 3.141592653589793, kNaN})}});
