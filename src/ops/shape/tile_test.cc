#include "ops/testing/op_case.h"

OP_CASES(Tile, {"matrix", {f32({2, 2}, {1, 2, 3, 4}), i64({2}, {1, 2})}, {f32({2, 4}, {1, 2, 1, 2, 3, 4, 3, 4})}},
         {"rows", {i8({1, 2}, {1, 2}), i64({2}, {2, 1})}, {i8({2, 2}, {1, 2, 1, 2})}},
         {"scalar", {f32(1), i64({0}, {})}, {f32(1)}}, {"nothing", {f32({2}, {1, 2}), i64({1}, {0})}, {f32({0}, {})}},
         {"strings", {str({2}, {"a", "b"}), i64({1}, {2})}, {str({4}, {"a", "b", "a", "b"})}});
OP_REJECTS(Tile, "rank 2", {f32({2, 2}, {0}), i64({1}, {1})});
OP_REJECTS(Tile, "below 0", {f32({2}, {0}), i64({1}, {-1})});
OP_SWEEP(
    Tile, .types = {DType::u8, DType::f32},
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{1 + round % 3, round % 7, 1 + round % 4}};
    },
    .fixed_inputs = {i64({3}, {2, 3, 5})});
OP_CASES(Tile,
         {"columns",
          {u8({3, 1}, {7, 8, 9}), i64({2}, {1, 5})},
          {u8({3, 5}, {7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9})}},
         {"both",
          {i64({2, 2}, {1, 2, 3, 4}), i64({2}, {2, 2})},
          {i64({4, 4}, {1, 2, 1, 2, 3, 4, 3, 4, 1, 2, 1, 2, 3, 4, 3, 4})}},
         {"not_at_all", {f16({1, 2}, {1, 2}), i64({2}, {1, 1})}, {f16({1, 2}, {1, 2})}},
         {"outermost", {boolean({1, 2}, {0, 1}), i64({2}, {3, 1})}, {boolean({3, 2}, {0, 1, 0, 1, 0, 1})}});
// Outputs of several blocks.
OP_SWEEP(
    Tile, .types = {DType::u8, DType::f32, DType::f64},
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{1 + round % 3, 1 + round * 7 % 30, 1, 1 + round * 5 % 40}};
    },
    .fixed_inputs = {i64({4}, {5, 1, 4, 2})});
OP_SWEEP(
    Tile, .types = {DType::u16, DType::f32},
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{1 + round * 37 % 300, 1}};
    },
    .fixed_inputs = {i64({2}, {1, 333})});
OP_SWEEP(
    Tile, .types = {DType::u8, DType::f64},
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> { return {sdx::Shape{1 + round * 701 % 2500}}; },
    .fixed_inputs = {i64({1}, {40})});
