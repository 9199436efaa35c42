#include "ops/testing/op_case.h"

OP_CASES_IN("com.microsoft", QuickGelu,
            {"values", {f32({2}, {-1, 1})}, {f32({2}, {-0.15420423120636403, 0.8457957687936359})}});
OP_SWEEP_IN("com.microsoft", QuickGelu, .types = {DType::f32, DType::f16});
