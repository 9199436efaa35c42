#include "ops/testing/op_case.h"

OP_CASES(Shape, {"all", {f32({2, 0, 4}, {})}, {i64({3}, {2, 0, 4})}}, {"scalar", {f32(1)}, {i64({0}, {})}},
         {"last", {f32({2, 3, 4}, {0})}, {i64({1}, {4})}, {attr("start", -1)}},
         {"without_last", {f32({2, 3, 4}, {0})}, {i64({2}, {2, 3})}, {attr("end", -1)}},
         {"clamped", {f32({2, 3}, {0})}, {i64({2}, {2, 3})}, {attr("start", -9), attr("end", 9)}},
         {"empty_range", {f32({2, 3}, {0})}, {i64({0}, {})}, {attr("start", 1), attr("end", 0)}});
