#include "ops/testing/op_case.h"

OP_CASES_IN("com.microsoft", BiasGelu,
            {"bias",
             {f32({2, 2}, {-1, 0, 1, 2}), f32({2}, {1, -1})},
             {f32({2, 2}, {0.0, -0.15865525393145707, 1.9544997361036416, 0.8413447460685429})}});
OP_REJECTS_IN("com.microsoft", BiasGelu, "differ", {f32({1, 2}, {0}), f32({3}, {0})});
OP_SWEEP_IN("com.microsoft", BiasGelu, .inputs = 1);
