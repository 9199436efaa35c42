#include "ops/testing/op_case.h"

OP_CASES(
    GatherElements,
    {"columns", {f32({2, 2}, {1, 2, 3, 4}), i64({2, 2}, {0, 0, 1, 0})}, {f32({2, 2}, {1, 1, 4, 3})}, {attr("axis", 1)}},
    {"rows",
     {i64({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), i32({2, 3}, {1, -1, 0, 2, 0, 0})},
     {i64({2, 3}, {4, 8, 3, 7, 2, 3})}},
    {"smaller", {f32({2, 3}, {1, 2, 3, 4, 5, 6}), i64({1, 2}, {1, 0})}, {f32({1, 2}, {4, 2})}},
    {"strings", {str({2}, {"a", "b"}), i64({3}, {1, 0, 1})}, {str({3}, {"b", "a", "b"})}},
    {"empty", {f32({2, 0}, {}), i64({1, 0}, {})}, {f32({1, 0}, {})}});
OP_REJECTS(GatherElements, "outside", {f32({2}, {0}), i64({1}, {2})});
OP_REJECTS(GatherElements, "larger than the data's 1", {f32({2, 1}, {0}), i64({1, 2}, {0})});
OP_REJECTS(GatherElements, "have rank 1", {f32({2, 1}, {0}), i64({1}, {0})});
namespace {
std::vector<sdx::Shape> planes(uint32_t round) { return {sdx::Shape{3 + round % 3, 4, 5 + round % 7}}; }
}  // namespace
OP_SWEEP(GatherElements, .types = {DType::u8, DType::f16, DType::f32, DType::f64}, .attributes = {attr("axis", 1)},
         .shapes = planes, .fixed_inputs = {i64({2, 3, 2}, {0, 1, 2, 3, -1, -2, -3, -4, 0, 0, 1, 2})});
OP_SWEEP(GatherElements, .types = {DType::f32}, .attributes = {attr("axis", -1)}, .shapes = planes,
         .fixed_inputs = {i32({2, 3, 2}, {0, 1, 2, 3, -1, -2, -3, -4, 0, 0, 1, 2})});
OP_SWEEP(GatherElements, .types = {DType::f32}, .shapes = planes,
         .fixed_inputs = {i32({2, 3, 2}, {0, 1, 2, 2, -1, -2, -3, -3, 0, 0, 1, 2})});
OP_CASES(GatherElements,
         {"last_axis_negative",
          {f64({2, 3}, {1, 2, 3, 4, 5, 6}), i32({2, 2}, {-1, 0, -3, 1})},
          {f64({2, 2}, {3, 1, 4, 5})},
          {attr("axis", -1)}},
         {"one_column", {u8({2, 3}, {1, 2, 3, 4, 5, 6}), i64({3, 1}, {1, 0, -1})}, {u8({3, 1}, {4, 1, 4})}},
         {"middle_of_smaller",
          {i32({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), i64({1, 3, 2}, {0, 1, 1, 1, -1, 0})},
          {i32({1, 3, 2}, {1, 5, 4, 5, 4, 2})},
          {attr("axis", 1)}});
OP_REJECTS(GatherElements, "index -4 is outside [-3, 3)", {f32({1, 3}, {0}), i64({1, 2}, {0, -4})}, {attr("axis", 1)});
