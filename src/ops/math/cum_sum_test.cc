#include "ops/testing/op_case.h"

OP_CASES(CumSum, {"plain", {f64({5}, {1, 2, 3, 4, 5}), i32({}, {0})}, {f64({5}, {1, 3, 6, 10, 15})}},
         {"exclusive", {f32({3}, {1, 2, 3}), i64(0)}, {f32({3}, {0, 1, 3})}, {attr("exclusive", 1)}},
         {"reverse", {f32({3}, {1, 2, 3}), i64(0)}, {f32({3}, {6, 5, 3})}, {attr("reverse", 1)}},
         {"both", {i64({3}, {1, 2, 3}), i64(-1)}, {i64({3}, {5, 3, 0})}, {attr("reverse", 1), attr("exclusive", 1)}},
         {"columns", {f32({2, 2}, {1, 2, 3, 4}), i64(0)}, {f32({2, 2}, {1, 2, 4, 6})}});
OP_REJECTS(CumSum, "outside", {f32({2}, {0}), i64(1)});
