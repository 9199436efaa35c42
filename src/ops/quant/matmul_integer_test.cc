#include "ops/testing/op_case.h"

OP_CASES(MatMulInteger,
         {"zero_points", {u8({1, 2}, {11, 7}), u8({2, 1}, {1, 5}), u8({}, {12}), u8({}, {3})}, {i32({1, 1}, {-8})}},
         {"per_row_and_column",
          {i8({2, 2}, {1, 2, 3, 4}), u8({2, 2}, {10, 20, 30, 40}), i8({2}, {1, 2}), u8({2}, {10, 20})},
          {i32({2, 2}, {20, 20, 40, 40})}},
         {"vector", {u8({2}, {255, 255}), i8({2}, {-128, -128})}, {i32({}, {-65280})}},
         {"broadcast", {u8({2, 1, 2}, {1, 2, 3, 4}), u8({2, 1}, {5, 6})}, {i32({2, 1, 1}, {17, 39})}},
         {"no_depth", {u8({1, 0}, {}), u8({0, 2}, {})}, {i32({1, 2}, {0, 0})}});
OP_REJECTS(MatMulInteger, "differ", {u8({1, 2}, {0}), u8({3, 1}, {0})});
OP_REJECTS(MatMulInteger, "b_zero_point", {u8({1, 2}, {0}), u8({2, 3}, {0}), none, u8({2}, {0})});
OP_SWEEP(
    MatMulInteger, .inputs = 2, .types = {DType::u8, DType::i8}, .low = -128, .high = 255,
    .shapes = [](uint32_t round) {
      const int64_t m = 1 + round * 7 % 61, k = round * 13 % 97, n = 1 + round * 11 % 83;
      return std::vector<::sdx::Shape>{round % 4 == 0 ? ::sdx::Shape{2, m, k} : ::sdx::Shape{m, k}, {k, n}};
    });
