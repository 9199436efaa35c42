#include "ops/testing/op_case.h"

OP_CASES(Asinh, {"values", {f32({3}, {0, 1, -kInf})}, {f32({3}, {0, 0.881373587019543, -kInf})}});
