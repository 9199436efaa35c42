#include "ops/testing/op_case.h"

OP_CASES(Cos, {"values",
               {f32({5}, {0, 1, -1, kInf, 1e6})},
               {f32({5}, {1, 0.5403023058681398, 0.5403023058681398, kNaN, 0.9367521275331447})}});
OP_SWEEP(Cos, .low = -1000, .high = 1000);
