#include "ops/testing/op_case.h"

OP_CASES(Expand,
         {"both_ways",
          {f32({2, 1}, {1, 2}), i64({3}, {2, 1, 3})},
          {f32({2, 2, 3}, {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2})}},
         {"shape_is_smaller", {f32({2, 1}, {1, 2}), i64({1}, {1})}, {f32({2, 1}, {1, 2})}},
         {"scalar", {str({}, {"a"}), i64({1}, {2})}, {str({2}, {"a", "a"})}},
         {"to_empty", {f32({1}, {1}), i64({2}, {0, 2})}, {f32({0, 2}, {})}},
         {"packed",
          {tensor_i64_values(DType::i2, {1}, {-1}), i64({1}, {3})},
          {tensor_i64_values(DType::i2, {3}, {-1, -1, -1})}});
OP_REJECTS(Expand, "do not broadcast", {f32({2}, {0}), i64({1}, {3})});
OP_REJECTS(Expand, "below 0", {f32({2}, {0}), i64({1}, {-1})});
OP_SWEEP(
    Expand, .types = {DType::u8, DType::f32},
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{1 + round % 2 * 4, 1, 1 + round % 5 / 4 * 6}};
    },
    .fixed_inputs = {i64({4}, {3, 5, 1 + 70, 7})});
