#include "ops/testing/op_case.h"

OP_CASES(Softplus,
         {"values",
          {f32({5}, {-1, 0, 1, 100, -100})},
          {f32({5}, {0.31326168751822286, 0.6931471805599453, 1.3132616875182228, 100, 3.720075976020836e-44})}},
         {"special_values", {f32({3}, {kInf, -kInf, kNaN})}, {f32({3}, {kInf, 0, kNaN})}});
OP_SWEEP(Softplus, .types = {DType::f32, DType::f16}, .low = -50, .high = 50);
