#include "ops/testing/op_case.h"

OP_CASES(HardSigmoid,
         {"values",
          {f32({6}, {-1, 0, 2, kNaN, -kInf, kInf})},
          {f32({6}, {0.1, 0.6, 1, kNaN, 0, 1})},
          {attr("alpha", 0.5f), attr("beta", 0.6f)}},
         {"defaults", {f32({3}, {-1, 0, 9})}, {f32({3}, {0.3, 0.5, 1})}});
OP_SWEEP(HardSigmoid, .types = {DType::f32, DType::f16});
