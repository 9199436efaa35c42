#include "ops/testing/op_case.h"

OP_CASES(RandomNormal,
         {"numpy_sequence",
          {},
          {f32({2, 3}, {4.38105154, 0.068125255, 1.06564033, 1.815032601, -0.57784605, 1.004131198})},
          {attr("shape", std::vector<int64_t>{2, 3}), attr("seed", 7.0F), attr("mean", 1.0F), attr("scale", 2.0F)}});
OP_REJECTS(RandomNormal, "attribute shape is missing", {});
