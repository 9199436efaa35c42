#include "ops/testing/op_case.h"

// Values from onnxruntime 1.32.
OP_CASES_IN("com.microsoft", QLinearConcat,
            {"columns",
             {f32({}, {0.02}), u8({}, {7}), u8({2, 2}, {194, 83, 224, 98}), f32({}, {0.01}), u8({}, {9}),
              u8({2, 3}, {26, 151, 217, 168, 100, 230}), f32({}, {0.04}), u8({}, {200})},
             {u8({2, 5}, {99, 44, 0, 0, 41, 114, 51, 0, 0, 67})},
             {attr("axis", 1)}});

OP_REJECTS_IN("com.microsoft", QLinearConcat, "inputs", {f32(1), u8({}, {0}), u8({1}, {0}), f32(1)}, {attr("axis", 0)});
