#include "ops/testing/op_case.h"

OP_CASES(MatMul,
         {"matrices",
          {f32({2, 3}, {1, 2, 3, 4, 5, 6}), f32({3, 2}, {1, 0, 0, 1, 1, 1})},
          {f32({2, 2}, {4, 5, 10, 11})}},
         {"row_times_column", {f32({3}, {1, 2, 3}), f32({3}, {4, 5, 6})}, {f32({}, {32})}},
         {"row_times_matrix", {f32({2}, {1, 2}), f32({2, 2}, {1, 2, 3, 4})}, {f32({2}, {7, 10})}},
         {"matrix_times_column", {f32({2, 2}, {1, 2, 3, 4}), f32({2}, {1, -1})}, {f32({2}, {-1, -1})}},
         {"batches_broadcast",
          {f32({2, 1, 1, 2}, {1, 2, 3, 4}), f32({2, 2, 1}, {1, 1, 2, 0})},
          {f32({2, 2, 1, 1}, {3, 2, 7, 6})}},
         {"no_terms_sum_to_zero", {f32({2, 0}, {}), f32({0, 2}, {})}, {f32({2, 2}, {0})}},
         {"no_rows", {f32({0, 2}, {}), f32({2, 3}, {0})}, {f32({0, 3}, {})}},
         {"int32_wraps", {i32({1, 2}, {65536, 1}), i32({2, 1}, {65536, 7})}, {i32({1, 1}, {7})}},
         {"int64_wraps", {i64({1, 2}, {8589934593, -7}), i64({2, 1}, {2147483651, 1})}, {i64({1, 1}, {27917287420})}},
         {"nan_spreads_along_its_row", {f32({2, 2}, {kNaN, 1, 1, 1}), f32({2, 1}, {0, 1})}, {f32({2, 1}, {kNaN, 1})}},
         {"float16", {f16({1, 2}, {1.5, 2}), f16({2, 1}, {2, 0.25})}, {f16({1, 1}, {3.5})}});
OP_REJECTS(MatMul, "columns of the first operand and rows of the second", {f32({2, 3}, {0}), f32({2, 3}, {0})});
OP_REJECTS(MatMul, "do not broadcast", {f32({2, 2, 3}, {0}), f32({3, 3, 1}, {0})});
OP_REJECTS(MatMul, "is a scalar", {f32(1), f32({2}, {0})});

namespace {
std::vector<sdx::Shape> matmul_shapes(uint32_t round) {
  const int64_t m = 1 + round * 7 % 31, n = 1 + round * 13 % 67, k = round * 29 % 300;
  switch (round % 4) {
    case 0: return {{m, k}, {k, n}};
    case 1: return {{3, m, k}, {k, n}};
    case 2: return {{2, 1, m, k}, {3, k, n}};
    default: return {{k}, {2, k, n}};
  }
}
}  // namespace
OP_SWEEP(MatMul, .inputs = 2, .types = {DType::f32, DType::f16, DType::bf16, DType::f64}, .special_values = false,
         .shapes = matmul_shapes);
OP_SWEEP(MatMul, .inputs = 2, .types = {DType::i32, DType::u32, DType::i64, DType::u64}, .special_values = false,
         .shapes = matmul_shapes);
