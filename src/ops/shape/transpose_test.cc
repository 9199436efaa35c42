#include "ops/testing/op_case.h"

OP_CASES(Transpose, {"reversed", {f32({2, 3}, {1, 2, 3, 4, 5, 6})}, {f32({3, 2}, {1, 4, 2, 5, 3, 6})}},
         {"scalar", {f32(1)}, {f32(1)}}, {"empty", {f32({0, 3}, {})}, {f32({3, 0}, {})}},
         {"strings", {str({2, 2}, {"a", "b", "c", "d"})}, {str({2, 2}, {"a", "c", "b", "d"})}},
         {"packed",
          {tensor_i64_values(DType::i4, {2, 3}, {1, -2, 3, 4, 5, -6})},
          {tensor_i64_values(DType::i4, {3, 2}, {1, 4, -2, 5, 3, -6})}},
         {"middle",
          {i64({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8})},
          {i64({1, 2, 2, 2}, {1, 2, 5, 6, 3, 4, 7, 8})},
          {attr("perm", std::vector<int64_t>{0, 2, 1, 3})}});
OP_REJECTS(Transpose, "rank 2", {f32({2, 3}, {0})}, {attr("perm", std::vector<int64_t>{0})});
OP_REJECTS(Transpose, "outside", {f32({2, 3}, {0})}, {attr("perm", std::vector<int64_t>{0, 2})});
OP_REJECTS(Transpose, "twice", {f32({2, 3}, {0})}, {attr("perm", std::vector<int64_t>{0, 0})});

namespace {
std::vector<sdx::Shape> big(uint32_t round) {
  return {sdx::Shape{1 + round % 3, 7 + round * 5 % 90, 1 + round * 3 % 40, 3 + round * 7 % 75}};
}
std::vector<sdx::Shape> colours(uint32_t round) {  // three of each pixel
  return {sdx::Shape{1 + round % 3, 3, 1 + round * 3 % 40, 1 + round * 7 % 75}};
}
}  // namespace
#define EVERY_WIDTH \
  { DType::u8, DType::f16, DType::f32, DType::f64 }
OP_SWEEP(Transpose, .types = EVERY_WIDTH);
OP_SWEEP(Transpose, .types = EVERY_WIDTH, .attributes = {attr("perm", std::vector<int64_t>{0, 2, 3, 1})},
         .shapes = big);
OP_SWEEP(Transpose, .types = EVERY_WIDTH, .attributes = {attr("perm", std::vector<int64_t>{0, 3, 1, 2})},
         .shapes = big);
OP_SWEEP(Transpose, .types = EVERY_WIDTH, .attributes = {attr("perm", std::vector<int64_t>{3, 1, 2, 0})},
         .shapes = big);
OP_SWEEP(Transpose, .types = EVERY_WIDTH, .attributes = {attr("perm", std::vector<int64_t>{0, 2, 1, 3})},
         .shapes = big);
OP_SWEEP(Transpose, .types = EVERY_WIDTH, .attributes = {attr("perm", std::vector<int64_t>{1, 3, 0, 2})},
         .shapes = big);
OP_SWEEP(Transpose, .types = EVERY_WIDTH, .attributes = {attr("perm", std::vector<int64_t>{0, 2, 3, 1})},
         .shapes = colours);
