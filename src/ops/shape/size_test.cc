#include "ops/testing/op_case.h"

OP_CASES(Size, {"count", {f32({2, 3}, {0})}, {i64(6)}}, {"scalar", {f32(1)}, {i64(1)}},
         {"empty", {str({0}, {})}, {i64(0)}});
