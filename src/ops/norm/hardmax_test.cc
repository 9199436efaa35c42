#include "ops/testing/op_case.h"

OP_CASES(Hardmax, {"first_of_equals", {f32({2, 3}, {3, 1, 3, 0, 2, 1})}, {f32({2, 3}, {1, 0, 0, 0, 1, 0})}},
         {"first_axis", {f32({2, 3}, {3, 1, 3, 4, 2, 1})}, {f32({2, 3}, {0, 0, 1, 1, 1, 0})}, {attr("axis", 0)}},
         {"nan", {f32({3}, {1, kNaN, 5})}, {f32({3}, {0, 1, 0})}}, {"empty", {f32({0, 3}, {})}, {f32({0, 3}, {})}});
OP_REJECTS(Hardmax, "axis -3 is outside", {f32({2, 2}, {0, 0, 0, 0})}, {attr("axis", -3)});
