#include "ops/testing/op_case.h"

OP_CASES(Gemm, {"plain", {f32({2, 2}, {1, 2, 3, 4}), f32({2, 2}, {1, 0, 0, 1})}, {f32({2, 2}, {1, 2, 3, 4})}},
         {"transposed_both",
          {f32({3, 2}, {1, 4, 2, 5, 3, 6}), f32({1, 3}, {1, 1, 1})},
          {f32({2, 1}, {6, 15})},
          {attr("transA", 1), attr("transB", 1)}},
         {"row_bias", {f32({2, 1}, {1, 2}), f32({1, 2}, {1, 10}), f32({2}, {5, 6})}, {f32({2, 2}, {6, 16, 7, 26})}},
         {"column_bias",
          {f32({2, 1}, {1, 2}), f32({1, 2}, {1, 10}), f32({2, 1}, {5, 6})},
          {f32({2, 2}, {6, 15, 8, 26})}},
         {"scalar_bias", {f32({2, 1}, {1, 2}), f32({1, 2}, {1, 10}), f32(0.5)}, {f32({2, 2}, {1.5, 10.5, 2.5, 20.5})}},
         {"alpha_and_beta",
          {f32({1, 1}, {3}), f32({1, 2}, {1, 10}), f32({1, 2}, {5, 6})},
          {f32({1, 2}, {8.5, 63})},
          {attr("alpha", 2.0f), attr("beta", 0.5f)}},
         {"beta_alone",
          {f32({1, 1}, {3}), f32({1, 2}, {1, 10}), f32({1, 2}, {5, 6})},
          {f32({1, 2}, {5.5, 33})},
          {attr("beta", 0.5f)}},
         {"no_terms_leave_c", {f32({1, 0}, {}), f32({0, 2}, {}), f32({2}, {5, 6})}, {f32({1, 2}, {5, 6})}},
         {"int64", {i64({1, 2}, {1, 2}), i64({2, 1}, {3, 4}), i64({1}, {5})}, {i64({1, 1}, {16})}});
OP_REJECTS(Gemm, "a matrix is wanted", {f32({1, 2, 2}, {0}), f32({2, 2}, {0})});
OP_REJECTS(Gemm, "columns of A and rows of B", {f32({2, 3}, {0}), f32({2, 3}, {0})});
OP_REJECTS(Gemm, "does not broadcast to", {f32({1, 2}, {0}), f32({2, 2}, {0}), f32({3, 2}, {0})});

namespace {
std::vector<sdx::Shape> gemm_shapes(uint32_t round) {
  const int64_t m = 1 + round * 7 % 31, n = 1 + round * 13 % 67, k = round * 29 % 300;
  switch (round % 4) {
    case 0: return {{m, k}, {n, k}, {n}};
    case 1: return {{m, k}, {n, k}, {m, n}};
    case 2: return {{m, k}, {n, k}, {m, 1}};
    default: return {{m, k}, {n, k}, {}};
  }
}
}  // namespace
OP_SWEEP(Gemm, .inputs = 3, .types = {DType::f32, DType::f16}, .attributes = {attr("transB", 1)},
         .special_values = false, .shapes = gemm_shapes);
OP_SWEEP(Gemm, .inputs = 3, .attributes = {attr("transB", 1), attr("alpha", 0.5f), attr("beta", -2.0f)},
         .special_values = false, .shapes = gemm_shapes);

namespace {
// Beyond one block of depths, one part of rows and one panel of columns.
std::vector<sdx::Shape> typed_shapes(uint32_t round) {
  const int64_t m = 1 + round * 37 % 300, n = 1 + round * 13 % 67, k = round * 97 % 600;
  return {{k, m}, {k, n}, {round % 2 == 0 ? m : 1, n}};
}
}  // namespace
OP_SWEEP(Gemm, .inputs = 3, .types = {DType::f64, DType::i32, DType::u32, DType::i64, DType::u64},
         .attributes = {attr("transA", 1), attr("alpha", -3.0f), attr("beta", 2.0f)}, .special_values = false,
         .shapes = typed_shapes);
