#include "ops/testing/op_case.h"

OP_CASES_IN("com.microsoft", FusedMatMul,
            {"transposed_and_scaled",
             {f32({1, 2, 1}, {1, 2}), f32({1, 1, 2}, {3, 4})},
             {f32({1, 1, 1}, {5.5})},
             {attr("transA", 1), attr("transB", 1), attr("alpha", 0.5f)}},
            {"rows_before_batches",
             {f32({2, 3, 1}, {1, 2, 3, 4, 5, 6}), f32({3, 1, 1}, {1, 10, 100})},
             {f32({3, 2, 1}, {1, 4, 20, 50, 300, 600})},
             {attr("transBatchA", 1)}});
namespace {
std::vector<sdx::Shape> batches_of_transposed(uint32_t r) {
  const int64_t m = 1 + r * 7 % 31, n = 1 + r * 13 % 67, k = r * 29 % 100;
  return {{1 + r % 3, k, m}, {n, k}};
}
}  // namespace
OP_SWEEP_IN("com.microsoft", FusedMatMul, .inputs = 2, .types = {DType::f32, DType::f64},
            .attributes = {attr("transA", 1), attr("transB", 1), attr("alpha", 0.125f)}, .special_values = false,
            .shapes = batches_of_transposed);
