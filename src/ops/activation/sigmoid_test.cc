#include "ops/testing/op_case.h"

OP_CASES(Sigmoid, {"values", {f32({3}, {0, 1, -1})}, {f32({3}, {0.5, 0.7310585786300049, 0.2689414213699951})}},
         {"special_values",
          {f32({5}, {kInf, -kInf, kNaN, -100, 100})},
          {f32({5}, {1, 0, kNaN, 3.720075976020836e-44, 1})}});
OP_SWEEP(Sigmoid, .types = {DType::f32, DType::f16}, .low = -90, .high = 90);
