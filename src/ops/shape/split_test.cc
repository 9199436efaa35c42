#include "ops/testing/op_case.h"

OP_CASES(Split,
         {"sizes",
          {f32({2, 3}, {1, 2, 3, 4, 5, 6}), i64({2}, {1, 2})},
          {f32({2, 1}, {1, 4}), f32({2, 2}, {2, 3, 5, 6})},
          {attr("axis", -1)}},
         {"uneven",
          {i64({5}, {1, 2, 3, 4, 5})},
          {i64({2}, {1, 2}), i64({2}, {3, 4}), i64({1}, {5})},
          {attr("num_outputs", 3)}},
         {"more_parts_than_elements", {i64({1}, {7})}, {i64({1}, {7}), i64({0}, {})}, {attr("num_outputs", 2)}},
         {"empty", {f32({0}, {}), i64({2}, {0, 0})}, {f32({0}, {}), f32({0}, {})}},
         {"strings", {str({2}, {"a", "b"})}, {str({1}, {"a"}), str({1}, {"b"})}, {attr("num_outputs", 2)}});
OP_REJECTS(Split, "for 1 outputs", {f32({3}, {0}), i64({2}, {1, 2})});
OP_REJECTS(Split, "the axis has 3", {f32({3}, {0}), i64({1}, {2})});
OP_REJECTS(Split, "num_outputs is 2", {f32({3}, {0})}, {attr("num_outputs", 2)});
OP_SWEEP(
    Split, .outputs = 2, .types = {DType::u8, DType::f32}, .attributes = {attr("axis", 1)},
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{round % 4, 5, 1 + round * 3 % 50}};
    },
    .fixed_inputs = {i64({2}, {2, 3})});
