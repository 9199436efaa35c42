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
