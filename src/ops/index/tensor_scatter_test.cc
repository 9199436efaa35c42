#include "ops/testing/op_case.h"

OP_CASES(TensorScatter,
         {"linear",
          {f32({2, 3, 1}, {1, 2, 3, 4, 5, 6}), f32({2, 1, 1}, {7, 8}), i64({2}, {2, 0})},
          {f32({2, 3, 1}, {1, 2, 7, 8, 5, 6})}},
         {"from_zero", {f32({1, 2, 1}, {1, 2}), f32({1, 1, 1}, {7})}, {f32({1, 2, 1}, {7, 2})}},
         {"circular",
          {i64({1, 3, 1}, {1, 2, 3}), i64({1, 2, 1}, {7, 8}), i64({1}, {5})},
          {i64({1, 3, 1}, {8, 2, 7})},
          {attr("mode", "circular")}});
OP_REJECTS(TensorScatter, "leave a cache of 3", {f32({1, 3, 1}, {0}), f32({1, 2, 1}, {7}), i64({1}, {2})});
OP_REJECTS(TensorScatter, "axis 0 is the batch", {f32({1, 3, 1}, {0}), f32({1, 2, 1}, {7})}, {attr("axis", 0)});
