#include "ops/testing/op_case.h"

OP_CASES(Cosh,
         {"values", {f32({4}, {0, 1, -1, -kInf})}, {f32({4}, {1, 1.5430806348152437, 1.5430806348152437, kInf})}});
