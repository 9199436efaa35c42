#include "ops/testing/op_case.h"

// Values from numpy.
OP_CASES_IN("sardonyx", ActivatedGroupNormalization,
            {"swish",
             {f32({1, 4, 2}, {1, 2, 3, 5, -1, 0, 2, 4}), f32({4}, {1, 0.5, 2, -1}), f32({4}, {0, 1, -1, 0.5})},
             {f32({1, 4, 2}, {-0.277433853, -0.190603291, 0.810509745, 1.502333025, -0.114050124, -0.209395262,
                              0.057707853, -0.263314953})},
             {attr("num_groups", 2), attr("activation", "Swish")}},
            {"relu",
             {f32({1, 4, 2}, {1, 2, 3, 5, -1, 0, 2, 4}), f32({4}, {1, 0.5, 2, -1}), f32({4}, {0, 1, -1, 0.5})},
             {f32({1, 4, 2}, {0, 0, 1.084515232, 1.760637091, 0, 0, 0.109433797, 0})},
             {attr("num_groups", 2), attr("activation", "Relu")}},
            {"nothing",
             {f32({0, 2, 3}, {}), f32({2}, {1, 1}), f32({2}, {0, 0})},
             {f32({0, 2, 3}, {})},
             {attr("num_groups", 2), attr("activation", "Relu")}});
OP_REJECTS_IN("sardonyx", ActivatedGroupNormalization, "Sine", {f32({1, 1, 1}, {0}), f32({1}, {0}), f32({1}, {0})},
              {attr("num_groups", 1), attr("activation", "Sine")});
OP_SWEEP_IN(
    "sardonyx", ActivatedGroupNormalization, .inputs = 3,
    .attributes = {attr("num_groups", 2), attr("activation", "Swish")}, .special_values = false,
    .shapes = [](uint32_t round) {
      const sdx::Shape channels({2 + round % 4 * 2});
      return std::vector<sdx::Shape>{sdx::Shape({2, 2 + round % 4 * 2, 1 + round * 7 % 90}), channels, channels};
    });
