#include "ops/testing/op_case.h"

OP_CASES(Elu, {"values",
               {f32({5}, {-1, 0, 2, kNaN, -kInf})},
               {f32({5}, {-1.2642411176571153, 0, 2, kNaN, -2})},
               {attr("alpha", 2.0f)}});
OP_SWEEP(Elu, .types = {DType::f32, DType::f16, DType::bf16}, .low = -20);
OP_SWEEP(Elu, .attributes = {attr("alpha", -0.7f)}, .low = -1e-3, .high = 1e-3);
