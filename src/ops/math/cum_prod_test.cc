#include "ops/testing/op_case.h"

OP_CASES(CumProd, {"plain", {f32({3}, {2, 3, 4}), i64(0)}, {f32({3}, {2, 6, 24})}},
         {"exclusive", {i64({3}, {2, 3, 4}), i64(0)}, {i64({3}, {1, 2, 6})}, {attr("exclusive", 1)}},
         {"reverse", {f32({3}, {2, 3, 4}), i64(0)}, {f32({3}, {24, 12, 4})}, {attr("reverse", 1)}});
