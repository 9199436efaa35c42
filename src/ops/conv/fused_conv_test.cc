#include "ops/testing/op_case.h"

OP_CASES_IN("com.microsoft", FusedConv,
            {"relu",
             {f32({1, 1, 3}, {1, -2, 3}), f32({1, 1, 1}, {2}), f32({1}, {1})},
             {f32({1, 1, 3}, {3, 0, 7})},
             {attr("activation", "Relu")}},
            {"sum_then_leaky_relu",
             {f32({1, 1, 2}, {1, -2}), f32({1, 1, 1}, {2}), f32({1}, {1}), f32({1, 1, 2}, {10, -1})},
             {f32({1, 1, 2}, {13, -2})},
             {attr("activation", "LeakyRelu"), {"activation_params", std::vector<float>{0.5f}}}},
            {"sum_without_bias_then_clip",
             {f32({1, 1, 2}, {1, -2}), f32({1, 1, 1}, {2}), none, f32({1, 1, 2}, {10, -1})},
             {f32({1, 1, 2}, {6, -5})},
             {attr("activation", "Clip"), {"activation_params", std::vector<float>{-6.0f, 6.0f}}}},
            {"tanh",
             {f32({1, 1, 2}, {1, -2}), f32({1, 1, 1}, {1})},
             {f32({1, 1, 2}, {0.7615941559557649, -0.9640275800758169})},
             {attr("activation", "Tanh")}});
OP_REJECTS_IN("com.microsoft", FusedConv, "activation is \"Gelu\"", {f32({1, 1, 3}, {0}), f32({1, 1, 1}, {0})},
              {attr("activation", "Gelu")});
