#include "ops/testing/op_case.h"

OP_CASES(RandomNormalLike,
         {"of_strings_dtype",
          {i64({3}, {1, 2, 3})},
          {f32({3}, {1.788628459, 0.436509848, 0.096497469})},
          {attr("seed", 3.0F), attr("dtype", 1)}},
         {"own_type",
          {f64({2, 2}, {0.0, 0.0, 0.0, 0.0})},
          {f64({2, 2}, {1.7886284734303186, 0.43650985051198943, 0.09649746807200862, -1.8634927033644908})},
          {attr("seed", 3.0F)}});
OP_REJECTS(RandomNormalLike, "random numbers of type i64", {i64({1}, {1})});
