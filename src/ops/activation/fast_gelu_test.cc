#include "ops/testing/op_case.h"

OP_CASES_IN("com.microsoft", FastGelu,
            {"bias",
             {f32({2, 2}, {-1, 0, 1, 2}), f32({2}, {1, -1})},
             {f32({2, 2}, {0.0, -0.15880800939172324, 1.954597694087775, 0.8411919906082768})}},
            {"no_bias", {f32({2}, {-1, 1})}, {f32({2}, {-0.15880800939172324, 0.8411919906082768})}});
OP_SWEEP_IN("com.microsoft", FastGelu, .types = {DType::f32});
