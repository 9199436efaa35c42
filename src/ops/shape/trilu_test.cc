#include "ops/testing/op_case.h"

OP_CASES(Trilu, {"upper", {i64({2, 3}, {1, 2, 3, 4, 5, 6})}, {i64({2, 3}, {1, 2, 3, 0, 5, 6})}},
         {"lower", {i64({2, 3}, {1, 2, 3, 4, 5, 6})}, {i64({2, 3}, {1, 0, 0, 4, 5, 0})}, {attr("upper", 0)}},
         {"upper_k", {i64({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), i64(1)}, {i64({2, 2, 2}, {0, 2, 0, 0, 0, 6, 0, 0})}},
         {"lower_far",
          {f32({2, 2}, {1, 2, 3, 4}), i64(std::numeric_limits<int64_t>::max())},
          {f32({2, 2}, {1, 2, 3, 4})},
          {attr("upper", 0)}},
         {"upper_far",
          {f32({2, 2}, {1, 2, 3, 4}), i64(std::numeric_limits<int64_t>::min())},
          {f32({2, 2}, {1, 2, 3, 4})}},
         {"empty", {f32({0, 3}, {})}, {f32({0, 3}, {})}});
OP_REJECTS(Trilu, "at least 2", {f32({2}, {0})});
OP_CASES(Trilu, {"bools", {boolean({2, 2}, {1, 1, 1, 1})}, {boolean({2, 2}, {1, 0, 1, 1})}, {attr("upper", 0)}},
         {"doubles_below", {f64({3, 2}, {1, 2, kNaN, 4, 5, 6}), i64(-1)}, {f64({3, 2}, {1, 2, kNaN, 4, 0, 6})}});
OP_SWEEP(
    Trilu, .types = {DType::u8, DType::f16, DType::f32, DType::i64}, .attributes = {attr("upper", 0)},
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{1 + round % 3, round * 7 % 40, 1 + round * 13 % 90}};
    },
    .fixed_inputs = {i64(-2)});
