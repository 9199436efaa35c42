#include "ops/testing/op_case.h"

OP_CASES(Unsqueeze, {"both_ends", {f32({2}, {1, 2}), i64({2}, {0, -1})}, {f32({1, 2, 1}, {1, 2})}},
         {"scalar", {f32(3), i64({1}, {0})}, {f32({1}, {3})}},
         {"unordered", {f32({2, 3}, {1}), i64({2}, {3, 1})}, {f32({2, 1, 3, 1}, {1})}});
OP_REJECTS(Unsqueeze, "outside", {f32({2}, {0}), i64({1}, {2})});
OP_REJECTS(Unsqueeze, "twice", {f32({2}, {0}), i64({2}, {0, -3})});
