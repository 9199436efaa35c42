#include "ops/testing/op_case.h"

OP_CASES(SwiGLU, {"values", {f32({3}, {-1, 0, 1}), f32({3}, {2, 3, kNaN})}, {f32({3}, {-0.5378828427399902, 0, kNaN})}},
         {"alpha", {f32({1}, {1}), f32({1}, {3})}, {f32({1}, {2.6423912339336475})}, {attr("alpha", 2.0f)}});
OP_REJECTS(SwiGLU, "has rank", {f32({1}, {1}), f32({1, 1}, {1})});
OP_REJECTS(SwiGLU, "differ", {f32({1}, {1}), f32({2}, {1})});
OP_SWEEP(SwiGLU, .inputs = 2, .attributes = {attr("alpha", 1.5f)}, .low = -10, .high = 10);
