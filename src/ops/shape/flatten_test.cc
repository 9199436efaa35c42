#include "ops/testing/op_case.h"

OP_CASES(Flatten, {"default", {f32({2, 3, 2}, {1})}, {f32({2, 6}, {1})}},
         {"zero", {f32({2, 3}, {1})}, {f32({1, 6}, {1})}, {attr("axis", 0)}},
         {"last", {f32({2, 3}, {1})}, {f32({6, 1}, {1})}, {attr("axis", 2)}},
         {"negative", {f32({2, 3, 4}, {1})}, {f32({6, 4}, {1})}, {attr("axis", -1)}},
         {"scalar", {f32(1)}, {f32({1, 1}, {1})}, {attr("axis", 0)}});
OP_REJECTS(Flatten, "outside", {f32({2}, {0})}, {attr("axis", 2)});
