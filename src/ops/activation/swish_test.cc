#include "ops/testing/op_case.h"

OP_CASES(Swish, {"values", {f32({4}, {-1, 0, 1, 50})}, {f32({4}, {-0.2689414213699951, 0, 0.7310585786300049, 50})}},
         {"alpha", {f32({1}, {1})}, {f32({1}, {0.8807970779778823})}, {attr("alpha", 2.0f)}});
OP_SWEEP(Swish, .types = {DType::f32, DType::f16}, .attributes = {attr("alpha", 1.5f)}, .low = -20, .high = 20);
