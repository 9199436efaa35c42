#include "ops/testing/op_case.h"

OP_CASES(Sum, {"three", {f32({3}, {1, kNaN, -kInf}), f32({3}, {2, 1, 4}), f32({1}, {3})}, {f32({3}, {6, kNaN, -kInf})}},
         {"one", {f32({2}, {1, 2})}, {f32({2}, {1, 2})}});
OP_REJECTS(Sum, "do not broadcast", {f32({2}, {0}), f32({3}, {0})});
OP_SWEEP(Sum, .inputs = 3, .special_values = false, .broadcast = true);
OP_SWEEP(Sum, .inputs = 4, .types = {DType::f32, DType::f64, DType::f16}, .broadcast = true);
