// MatMulInteger: y = (a - a_zero_point) @ (b - b_zero_point) in int32, which wraps. Zero points of a are for the tensor
// or a row, of b for the tensor or a column.
#include "base/element.h"
#include "ops/quant/matmul_shape.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_matmul_integer(InferContext& ctx) {
  SDX_ASSIGN(auto shape, infer_matmul(ctx, 0, 1));
  return tensor_fact(DType::i32, std::move(shape));
}

Status matmul_integer_reference(KernelContext& ctx) {
  const Tensor &a = ctx.input(0), &b = ctx.input(1);
  Tensor& y = ctx.output(0);
  SDX_ASSIGN(const MatmulShape shape, matmul_shape(a.shape(), b.shape()));
  LineParameters a_zero, b_zero;
  if (ctx.has_input(2)) {
    SDX_ASSIGN(a_zero, line_parameters(ctx.input(2), shape.m, shape.a_matrices, "a_zero_point"));
  }
  if (ctx.has_input(3)) {
    SDX_ASSIGN(b_zero, line_parameters(ctx.input(3), shape.n, shape.b_matrices, "b_zero_point"));
  }
  const auto zero_at = [&](size_t input, int64_t at) {
    return ctx.has_input(input) ? load_i64(ctx.input(input), at) : 0;
  };
  for (size_t i = 0; i < shape.a_of.size(); ++i) {
    const int64_t am = shape.a_of[i], bm = shape.b_of[i];
    for (int64_t row = 0; row < shape.m; ++row) {
      SDX_TRY(ctx.check_cancelled());
      const int64_t za = zero_at(2, a_zero.index(am, row));
      for (int64_t column = 0; column < shape.n; ++column) {
        const int64_t zb = zero_at(3, b_zero.index(bm, column));
        int64_t sum = 0;
        for (int64_t k = 0; k < shape.k; ++k)
          sum += (load_i64(a, (am * shape.m + row) * shape.k + k) - za) *
                 (load_i64(b, (bm * shape.k + k) * shape.n + column) - zb);
        store_i64(y, (static_cast<int64_t>(i) * shape.m + row) * shape.n + column, sum);
      }
    }
  }
  return {};
}

}  // namespace

SDX_OP(matmul_integer) = {
    .name = "MatMulInteger",
    .since = 10,
    .infer = infer_matmul_integer,
    .reference = matmul_integer_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
