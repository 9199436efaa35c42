#include "ops/testing/op_case.h"

OP_CASES(NonZero, {"matrix", {f32({2, 2}, {1, 0, kNaN, -0.0})}, {i64({2, 2}, {0, 1, 0, 0})}},
         {"scalar", {i64(3)}, {i64({0, 1}, {})}}, {"empty", {f32({0, 3}, {})}, {i64({2, 0}, {})}},
         {"bools", {boolean({3}, {0, 1, 1})}, {i64({1, 2}, {1, 2})}},
         {"strings", {str({2}, {"", "a"})}, {i64({1, 1}, {1})}});
