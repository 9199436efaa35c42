#include "ops/testing/op_case.h"

OP_CASES(EyeLike, {"wide", {f32({2, 3}, {5})}, {f32({2, 3}, {1, 0, 0, 0, 1, 0})}},
         {"typed", {i32({2, 2}, {5})}, {f64({2, 2}, {0, 0, 1, 0})}, {attr("k", -1), attr("dtype", 11)}});
OP_REJECTS(EyeLike, "2 is wanted", {f32({2}, {0})});
OP_CASES(EyeLike, {"above", {f32({2, 3}, {5})}, {f32({2, 3}, {0, 0, 1, 0, 0, 0})}, {attr("k", 2)}},
         {"beyond", {i64({2, 2}, {5})}, {i64({2, 2}, {0})}, {attr("k", -7)}},
         {"tall_half", {f16({3, 2}, {5})}, {f16({3, 2}, {0, 0, 1, 0, 0, 1})}, {attr("k", -1)}});
