#include "ops/testing/op_case.h"

OP_CASES(Tan, {"values", {f32({4}, {0, 1, -1, kInf})}, {f32({4}, {0, 1.5574077246549023, -1.5574077246549023, kNaN})}});
