#include "ops/testing/op_case.h"

OP_CASES(PRelu,
         {"per_channel", {f32({2, 2}, {-1, 2, -3, kNaN}), f32({2}, {0.5, 4})}, {f32({2, 2}, {-0.5, 2, -1.5, kNaN})}},
         {"integers", {i64({2}, {-2, 3}), i64({1}, {5})}, {i64({2}, {-10, 3})}});
OP_REJECTS(PRelu, "above the rank", {f32({2}, {0}), f32({1, 2}, {0})});
OP_REJECTS(PRelu, "does not broadcast to x", {f32({1}, {0}), f32({2}, {0})});
OP_SWEEP(PRelu, .inputs = 2, .types = {DType::f32, DType::f16}, .broadcast = true);
