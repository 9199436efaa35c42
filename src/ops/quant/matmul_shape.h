// Numpy's matrix product over shapes, and parameters (zero points, scales) given per tensor, per row or per column.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// The output's shape for operands at inputs `a` and `b`; nullopt when a rank is unknown.
Result<std::optional<SymShape>> infer_matmul(InferContext& ctx, size_t a, size_t b);

// Matrices of numbers: a [batch of a][m, k], b [batch of b][k, n], y [batch][m, n].
struct MatmulShape {
  int64_t m = 1, k = 0, n = 1;
  Shape batch;                      // of y
  std::vector<int64_t> a_of, b_of;  // which matrix of a and b stands behind each matrix of y
  int64_t a_matrices = 1, b_matrices = 1;
};
Result<MatmulShape> matmul_shape(std::span<const int64_t> a, std::span<const int64_t> b);

// Index of the parameter of row (or column) `at` in matrix `matrix`: matrix * matrix_stride + at * stride.
struct LineParameters {
  int64_t matrix_stride = 0, stride = 0;
  int64_t index(int64_t matrix, int64_t at) const { return matrix * matrix_stride + at * stride; }
};
Result<LineParameters> line_parameters(const Tensor& parameter, int64_t lines, int64_t matrices, std::string_view what);

}  // namespace sdx::ops
