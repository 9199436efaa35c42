#include "ops/testing/op_case.h"

OP_CASES(Mish, {"values", {f32({4}, {-1, 0, 1, 50})}, {f32({4}, {-0.30340146137410895, 0, 0.8650983882673103, 50})}},
         {"special_values", {f32({2}, {kInf, kNaN})}, {f32({2}, {kInf, kNaN})}});
OP_SWEEP(Mish, .types = {DType::f32, DType::f16}, .low = -50, .high = 50);
