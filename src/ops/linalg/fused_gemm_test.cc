#include "ops/testing/op_case.h"

OP_CASES_IN("com.microsoft", FusedGemm,
            {"relu",
             {f32({1, 1}, {2}), f32({1, 3}, {1, -1, 3}), f32({3}, {1, 1, 1})},
             {f32({1, 3}, {3, 0, 7})},
             {attr("activation", "Relu")}},
            {"leaky_relu",
             {f32({1, 1}, {2}), f32({1, 3}, {1, -1, 3})},
             {f32({1, 3}, {2, -1, 6})},
             {attr("activation", "LeakyRelu"), attr("activation_alpha", 0.5f)}});
