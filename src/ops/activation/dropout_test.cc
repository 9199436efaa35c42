#include "ops/testing/op_case.h"

OP_CASES(Dropout, {"inference", {f32({2}, {1, kNaN})}, {f32({2}, {1, kNaN}), boolean({2}, {1, 1})}},
         {"no_mask", {f32({2}, {1, 2}), f32(0.9)}, {f32({2}, {1, 2})}},
         {"training_without_ratio",
          {f32({2}, {1, 2}), f32(0), boolean({}, {1})},
          {f32({2}, {1, 2}), boolean({2}, {1, 1})}},
         {"training_draws_as_numpy",
          {f32({6}, {1, 2, 3, 4, 5, 6}), f32(0.5), boolean({}, {1})},
          {f32({6}, {2, 4, 6, 8, 0, 12}), boolean({6}, {1, 1, 1, 1, 0, 1})},
          {attr("seed", 0)}});
OP_REJECTS(Dropout, "must be in [0, 1)", {f32({1}, {1}), f32(1), boolean({}, {1})});
