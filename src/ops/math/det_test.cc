#include "ops/testing/op_case.h"

OP_CASES(Det, {"one", {f32({2, 2}, {0, 1, 2, 3})}, {f32(-2)}},
         {"many", {f32({2, 2, 2}, {1, 2, 3, 4, 1, 2, 2, 4})}, {f32({2}, {-2, 0})}},
         {"empty", {f32({0, 0}, {})}, {f32(1)}});
OP_REJECTS(Det, "differ", {f32({2, 3}, {0})});
