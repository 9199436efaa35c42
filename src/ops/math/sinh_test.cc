#include "ops/testing/op_case.h"

OP_CASES(Sinh,
         {"values", {f32({4}, {0, 1, -1, -kInf})}, {f32({4}, {0, 1.1752011936438014, -1.1752011936438014, -kInf})}});
