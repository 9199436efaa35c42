// Det: the determinant of each square matrix in the last two dimensions.
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_det(InferContext& ctx) {
  const Fact& x = ctx.input(0);
  if (!x.has_rank()) return tensor_fact(x.dtype, std::nullopt);
  if (x.rank() < 2) return ctx.fail("the input has rank {}, at least 2 is wanted", x.rank());
  SDX_TRY(ctx.same(x.dim(x.rank() - 2), x.dim(x.rank() - 1), "rows and columns").status());
  return tensor_fact(x.dtype, SymShape(x.shape->begin(), x.shape->end() - 2));
}

// Elimination with the largest pivot of each column.
double determinant(std::vector<double>& m, size_t n) {
  double det = 1;
  for (size_t k = 0; k < n; ++k) {
    size_t pivot = k;
    for (size_t row = k + 1; row < n; ++row)
      if (std::fabs(m[row * n + k]) > std::fabs(m[pivot * n + k])) pivot = row;
    if (m[pivot * n + k] == 0) return 0;
    if (pivot != k) {
      for (size_t j = 0; j < n; ++j) std::swap(m[k * n + j], m[pivot * n + j]);
      det = -det;
    }
    det *= m[k * n + k];
    for (size_t row = k + 1; row < n; ++row) {
      const double factor = m[row * n + k] / m[k * n + k];
      for (size_t j = k; j < n; ++j) m[row * n + j] -= factor * m[k * n + j];
    }
  }
  return det;
}

Status det_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const int64_t n = x.dim(x.rank() - 1);
  std::vector<double> matrix(static_cast<size_t>(n * n));
  for (int64_t i = 0; i < ctx.output(0).count(); ++i) {
    for (int64_t k = 0; k < n * n; ++k) matrix[static_cast<size_t>(k)] = load_double(x, i * n * n + k);
    store_double(ctx.output(0), i, determinant(matrix, static_cast<size_t>(n)));
  }
  return {};
}

}  // namespace

SDX_OP(det) = {.name = "Det",
               .since = 22,
               .infer = infer_det,
               .reference = det_reference,
               .records_constraints = true,
               .tolerance = relative(1e-5)};

}  // namespace sdx::ops
