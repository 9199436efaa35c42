#include "ops/testing/op_case.h"

OP_CASES(ArgMax, {"first_of_equals", {f32({2, 3}, {3, 1, 3, 2, 2, -1})}, {i64({2, 1}, {0, 0})}, {attr("axis", 1)}},
         {"last_of_equals",
          {f32({2, 3}, {3, 1, 3, 2, 2, -1})},
          {i64({2, 1}, {2, 1})},
          {attr("axis", -1), attr("select_last_index", 1)}},
         {"first_axis_by_default", {f32({2, 3}, {3, 1, 3, 2, 2, -1})}, {i64({3}, {0, 1, 0})}, {attr("keepdims", 0)}},
         {"nan_wins", {f32({4}, {1, kNaN, 3, kNaN})}, {i64({1}, {1})}},
         {"last_nan", {f32({5}, {1, kNaN, 3, kNaN, 0})}, {i64({1}, {3})}, {attr("select_last_index", 1)}},
         {"unsigned", {u8({3}, {200, 3, 255})}, {i64({1}, {2})}}, {"int64", {i64({3}, {5, -7, 5})}, {i64({1}, {0})}},
         {"infinities", {f32({3}, {-kInf, kInf, kInf})}, {i64({1}, {1})}},
         {"empty_result", {f32({0, 3}, {})}, {i64({0, 1}, {})}, {attr("axis", 1)}});
OP_REJECTS(ArgMax, "has no elements", {f32({2, 0}, {})}, {attr("axis", 1)});
OP_REJECTS(ArgMax, "axis 2 is outside", {f32({2, 3}, {3, 1, 3, 2, 2, -1})}, {attr("axis", 2)});

namespace {
std::vector<sdx::Shape> arg_shapes(uint32_t round) {
  const int64_t sizes[] = {1, 2, 7, 33, 300, 5, 1029};
  return {sdx::Shape({1 + round % 3, sizes[round % 7], 1 + round % 5 * 9})};
}
}  // namespace
OP_SWEEP(ArgMax, .attributes = {attr("axis", -1)}, .shapes = arg_shapes);
OP_SWEEP(ArgMax, .attributes = {attr("axis", 1)}, .shapes = arg_shapes);
OP_SWEEP(ArgMax, .attributes = {attr("axis", 1), attr("select_last_index", 1)}, .low = 0, .high = 2,
         .shapes = arg_shapes);
OP_SWEEP(ArgMax, .attributes = {attr("axis", 0)}, .shapes = arg_shapes);
