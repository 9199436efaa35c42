#include "ops/testing/op_case.h"

OP_CASES(NonZero, {"matrix", {f32({2, 2}, {1, 0, kNaN, -0.0})}, {i64({2, 2}, {0, 1, 0, 0})}},
         {"scalar", {i64(3)}, {i64({0, 1}, {})}}, {"empty", {f32({0, 3}, {})}, {i64({2, 0}, {})}},
         {"bools", {boolean({3}, {0, 1, 1})}, {i64({1, 2}, {1, 2})}},
         {"strings", {str({2}, {"", "a"})}, {i64({1, 1}, {1})}});
OP_CASES(NonZero, {"cube", {i64({2, 2, 2}, {0, 1, 1, 0, 0, 0, 0, 5})}, {i64({3, 3}, {0, 0, 1, 0, 1, 1, 1, 0, 1})}},
         {"half", {f16({4}, {0, -0.0, kNaN, -1})}, {i64({1, 2}, {2, 3})}},
         {"doubles", {f64({1, 3}, {-0.0, 1e-300, kInf})}, {i64({2, 2}, {0, 0, 1, 2})}},
         {"nothing", {i32({2, 3}, {0})}, {i64({2, 0}, {})}});
OP_SWEEP(NonZero, .types = {DType::boolean, DType::i8, DType::u16, DType::f32, DType::i64, DType::f64, DType::bf16});
OP_SWEEP(
    NonZero, .types = {DType::boolean, DType::i32}, .low = -1, .high = 1.9,
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{1 + round % 4, 100 * round, 1 + round % 90}};
    });
