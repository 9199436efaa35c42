#include "ops/testing/op_case.h"

OP_CASES(Sin, {"values",
               {f32({5}, {0, 1, -1, kInf, 1e6})},
               {f32({5}, {0, 0.8414709848078965, -0.8414709848078965, kNaN, -0.34999350217129294})}});
OP_SWEEP(Sin, .low = -1000, .high = 1000);
