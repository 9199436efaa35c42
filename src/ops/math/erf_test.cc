#include "ops/testing/op_case.h"

OP_CASES(Erf,
         {"values",
          {f32({5}, {0, 0.5, -1, 2, 4})},
          {f32({5}, {0, 0.5204998778130465, -0.8427007929497149, 0.9953222650189527, 0.9999999845827421})}},
         {"special_values", {f32({3}, {kInf, -kInf, kNaN})}, {f32({3}, {1, -1, kNaN})}});
OP_SWEEP(Erf, .types = {DType::f32, DType::f16});
