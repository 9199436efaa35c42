#include "ops/testing/op_case.h"

OP_CASES(
    Slice,
    {"steps",
     {f32({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), i64({2}, {1, 0}), i64({2}, {2, 3}), i64({2}, {0, 1}), i64({2}, {1, 2})},
     {f32({1, 2}, {5, 7})}},
    {"default_axes",
     {f32({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), i64({2}, {0, 1}), i64({2}, {-1, 1000})},
     {f32({1, 3}, {2, 3, 4})}},
    {"backward",
     {i64({4}, {1, 2, 3, 4}), i64({1}, {-1}), i64({1}, {std::numeric_limits<int64_t>::min()}), i64({1}, {0}),
      i64({1}, {-1})},
     {i64({4}, {4, 3, 2, 1})}},
    {"backward_start_is_clamped_to_zero",
     {i64({3}, {1, 2, 3}), i64({1}, {-9}), i64({1}, {-9}), none, i64({1}, {-1})},
     {i64({1}, {1})}},
    {"large_step",
     {i64({4}, {1, 2, 3, 4}), i64({1}, {1}), i64({1}, {4}), none, i64({1}, {std::numeric_limits<int64_t>::max()})},
     {i64({1}, {2})}},
    {"smallest_step",
     {i64({4}, {1, 2, 3, 4}), i64({1}, {3}), i64({1}, {-9}), none, i64({1}, {std::numeric_limits<int64_t>::min()})},
     {i64({1}, {4})}},
    {"empty", {f32({4}, {1, 2, 3, 4}), i32({1}, {3}), i32({1}, {1})}, {f32({0}, {})}},
    {"of_nothing", {f32({0}, {}), i64({1}, {0}), i64({1}, {5}), none, i64({1}, {-2})}, {f32({0}, {})}},
    {"strings", {str({3}, {"a", "b", "c"}), i64({1}, {1}), i64({1}, {3})}, {str({2}, {"b", "c"})}},
    {"packed",
     {tensor_i64_values(DType::i8, {3}, {1, 2, 3}), i64({1}, {1}), i64({1}, {3})},
     {tensor_i64_values(DType::i8, {2}, {2, 3})}});
OP_REJECTS(Slice, "steps[0] is 0", {f32({4}, {0}), i64({1}, {0}), i64({1}, {1}), none, i64({1}, {0})});
OP_REJECTS(Slice, "outside", {f32({4}, {0}), i64({1}, {0}), i64({1}, {1}), i64({1}, {1})});
OP_REJECTS(Slice, "twice", {f32({4}, {0}), i64({2}, {0, 0}), i64({2}, {1, 1}), i64({2}, {0, -1})});
OP_REJECTS(Slice, "1 starts but 2 ends", {f32({4}, {0}), i64({1}, {0}), i64({2}, {1, 1})});
namespace {
std::vector<sdx::Shape> three(uint32_t round) { return {sdx::Shape{1 + round % 5, round % 9, 1 + round * 7 % 83}}; }
}  // namespace
OP_SWEEP(Slice, .types = {DType::u8, DType::f16, DType::f32, DType::f64}, .shapes = three,
         .fixed_inputs = {i64({3}, {1, 0, 2}), i64({3}, {9, -1, 70}), i64({3}, {0, 1, 2}), i64({3}, {1, 2, 3})});
OP_SWEEP(Slice, .types = {DType::f32}, .shapes = three,
         .fixed_inputs = {i64({2}, {-1, 2}), i64({2}, {-99, 78}), i64({2}, {0, 2}), i64({2}, {-1, 1})});
