#include "ops/testing/op_case.h"

OP_CASES(TopK,
         {"largest",
          {f32({2, 4}, {0, 1, 2, 3, 7, 6, 5, 4}), i64({1}, {2})},
          {f32({2, 2}, {3, 2, 7, 6}), i64({2, 2}, {3, 2, 0, 1})}},
         {"smallest_rows",
          {i64({3, 2}, {3, 1, 2, 1, 1, 5}), i64({1}, {2})},
          {i64({2, 2}, {1, 1, 2, 1}), i64({2, 2}, {2, 0, 1, 1})},
          {attr("axis", 0), attr("largest", 0)}},
         {"ties_by_index", {f32({4}, {1, 1, 1, 1}), i64({1}, {3})}, {f32({3}, {1, 1, 1}), i64({3}, {0, 1, 2})}},
         {"nan_is_largest", {f32({3}, {1, kNaN, kInf}), i64({1}, {2})}, {f32({2}, {kNaN, kInf}), i64({2}, {1, 2})}},
         {"none", {f32({2}, {1, 2}), i64({1}, {0})}, {f32({0}, {}), i64({0}, {})}},
         {"unsigned", {u8({3}, {200, 100, 250}), i64({1}, {1})}, {u8({1}, {250}), i64({1}, {2})}});
OP_REJECTS(TopK, "K is 3, the axis has 2", {f32({2}, {1, 2}), i64({1}, {3})});
OP_REJECTS(TopK, "below 0", {f32({2}, {1, 2}), i64({1}, {-1})});
OP_SWEEP(
    TopK, .outputs = 2, .types = {DType::f32, DType::i32, DType::i64},
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{round % 5, 5 + round * 13 % 300}};
    },
    .fixed_inputs = {i64({1}, {5})});
OP_SWEEP(
    TopK, .outputs = 2, .attributes = {attr("axis", 0), attr("largest", 0)},
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{5 + round * 13 % 300, 1 + round % 5}};
    },
    .fixed_inputs = {i64({1}, {5})});
OP_CASES(TopK,
         {"zeros_are_equal",
          {f32({4}, {0, -0.0, -1, -0.0}), i64({1}, {3})},
          {f32({3}, {0, -0.0, -0.0}), i64({3}, {0, 1, 3})}},
         {"nan_is_last_of_the_smallest",
          {f64({3}, {kNaN, 1, -kInf}), i64({1}, {3})},
          {f64({3}, {-kInf, 1, kNaN}), i64({3}, {2, 1, 0})},
          {attr("largest", 0)}},
         {"half", {f16({4}, {-1, 2, kNaN, -3}), i64({1}, {2})}, {f16({2}, {kNaN, 2}), i64({2}, {2, 1})}},
         {"signed", {i8({4}, {-128, 127, 0, -1}), i64({1}, {3})}, {i8({3}, {127, 0, -1}), i64({3}, {1, 2, 3})}});
// Few and many of long rows, of every width, with many equal ones among the integers.
OP_SWEEP(
    TopK, .outputs = 2, .types = {DType::f32, DType::f64, DType::f16, DType::bf16, DType::i8, DType::u8, DType::u16},
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{1 + round % 3, 40 + round * 97 % 3000}};
    },
    .fixed_inputs = {i64({1}, {40})});
OP_SWEEP(
    TopK, .outputs = 2, .types = {DType::f32, DType::i32, DType::u32, DType::i64, DType::u64},
    .attributes = {attr("largest", 0)}, .low = -1e6, .high = 1e6,
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{1 + round % 2, 600 + round * 377 % 6000}};
    },
    .fixed_inputs = {i64({1}, {600})});
OP_SWEEP(
    TopK, .outputs = 2, .types = {DType::f32, DType::f64}, .attributes = {attr("axis", 1)},
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{1 + round % 3, 3 + round * 13 % 200, 1 + round * 7 % 40}};
    },
    .fixed_inputs = {i64({1}, {3})});
OP_SWEEP(
    TopK, .outputs = 2,
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{1 + round % 2, 1 + round * 139 % 2000}};
    },
    .fixed_inputs = {i64({1}, {1})});
