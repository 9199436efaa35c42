#include "ops/testing/op_case.h"

OP_CASES(Tanh,
         {"values",
          {f32({5}, {0, 0.5, -1, 9, -0.625})},
          {f32({5}, {0, 0.46211715726000973, -0.7615941559557649, 0.9999999695400409, -0.5545997223493823})}},
         {"special_values", {f32({3}, {kInf, -kInf, kNaN})}, {f32({3}, {1, -1, kNaN})}});
OP_SWEEP(Tanh, .types = {DType::f32, DType::f16});
