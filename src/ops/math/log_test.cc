#include "ops/testing/op_case.h"

OP_CASES(Log, {"values", {f32({3}, {1, 2, 0.5})}, {f32({3}, {0, 0.6931471805599453, -0.6931471805599453})}},
         {"special_values",
          {f32({6}, {0, -0.0, -1, kInf, kNaN, 0x1p-140})},
          {f32({6}, {-kInf, -kInf, kNaN, kInf, kNaN, -97.04060527839234})}});
OP_SWEEP(Log, .low = -1, .high = 1000);
