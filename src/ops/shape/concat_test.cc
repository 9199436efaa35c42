#include "ops/testing/op_case.h"

OP_CASES(
    Concat,
    {"rows", {f32({1, 2}, {1, 2}), f32({2, 2}, {3, 4, 5, 6})}, {f32({3, 2}, {1, 2, 3, 4, 5, 6})}, {attr("axis", 0)}},
    {"columns",
     {f32({2, 1}, {1, 2}), f32({2, 2}, {3, 4, 5, 6})},
     {f32({2, 3}, {1, 3, 4, 2, 5, 6})},
     {attr("axis", -1)}},
    {"empty_part", {f32({2, 0}, {}), f32({2, 1}, {3, 4})}, {f32({2, 1}, {3, 4})}, {attr("axis", 1)}},
    {"strings", {str({1}, {"ä"}), str({2}, {"", "b"})}, {str({3}, {"ä", "", "b"})}, {attr("axis", 0)}},
    {"packed",
     {tensor_i64_values(DType::i4, {3}, {1, -2, 3}), tensor_i64_values(DType::i4, {2}, {-8, 7})},
     {tensor_i64_values(DType::i4, {5}, {1, -2, 3, -8, 7})},
     {attr("axis", 0)}});
OP_REJECTS(Concat, "differ", {f32({1, 2}, {0}), f32({1, 3}, {0})}, {attr("axis", 0)});
OP_REJECTS(Concat, "outside", {f32({1, 2}, {0}), f32({1, 2}, {0})}, {attr("axis", 2)});
OP_SWEEP(
    Concat, .inputs = 3, .types = {DType::u8, DType::f16, DType::f32, DType::f64}, .attributes = {attr("axis", 1)},
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{1 + round % 4, round % 3, 1 + round * 7 % 40},
              sdx::Shape{1 + round % 4, 2, 1 + round * 7 % 40},
              sdx::Shape{1 + round % 4, 1 + round % 2, 1 + round * 7 % 40}};
    });
