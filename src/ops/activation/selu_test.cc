#include "ops/testing/op_case.h"

OP_CASES(Selu, {"values", {f32({4}, {-1, 0, 2, kNaN})}, {f32({4}, {-1.1113307378125625, 0, 2.101402, kNaN})}});
