#include "ops/testing/op_case.h"

OP_CASES(Celu, {"values",
                {f32({4}, {-1, 0, 2, kNaN})},
                {f32({4}, {-0.7869386805747332, 0, 2, kNaN})},
                {attr("alpha", 2.0f)}});
OP_SWEEP(Celu, .types = {DType::f32, DType::f16}, .low = -20);
OP_SWEEP(Celu, .attributes = {attr("alpha", -2.5f)}, .low = -200);
