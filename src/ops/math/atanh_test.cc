#include "ops/testing/op_case.h"

OP_CASES(Atanh, {"values", {f32({4}, {0, 0.5, 1, 2})}, {f32({4}, {0, 0.5493061443340549, kInf, kNaN})}});
