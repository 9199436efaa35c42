#include "ops/testing/op_case.h"

OP_CASES(Asin, {"values", {f32({4}, {0, 1, -1, 2})}, {f32({4}, {0, 1.5707963267948966, -1.5707963267948966, kNaN})}});
