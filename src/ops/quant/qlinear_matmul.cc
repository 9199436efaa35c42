// QLinearMatMul: y = saturate(round(x / y_scale) + y_zero_point), ties to even, where x is the exact product of the
// integers times the scales. The scales' product and quotient are rounded to their own type, the product with the
// (float32) sum to float32, as onnxruntime and the standard's test cases do. Scales and zero points of a are for the
// tensor or a row, of b for the tensor or a column.
#include "ops/quant/matmul_shape.h"
#include "ops/quant/quantization.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_qlinear_matmul(InferContext& ctx) {
  SDX_ASSIGN(auto shape, infer_matmul(ctx, 0, 3));
  return tensor_fact(ctx.dtype(7), std::move(shape));
}

Status qlinear_matmul_reference(KernelContext& ctx) {
  const Tensor &a = ctx.input(0), &a_scale = ctx.input(1), &a_zero = ctx.input(2);
  const Tensor &b = ctx.input(3), &b_scale = ctx.input(4), &b_zero = ctx.input(5);
  const Tensor &y_scale = ctx.input(6), &y_zero = ctx.input(7);
  Tensor& y = ctx.output(0);
  SDX_ASSIGN(const MatmulShape shape, matmul_shape(a.shape(), b.shape()));
  SDX_ASSIGN(const auto a_scales, line_parameters(a_scale, shape.m, shape.a_matrices, "a_scale"));
  SDX_ASSIGN(const auto a_zeros, line_parameters(a_zero, shape.m, shape.a_matrices, "a_zero_point"));
  SDX_ASSIGN(const auto b_scales, line_parameters(b_scale, shape.n, shape.b_matrices, "b_scale"));
  SDX_ASSIGN(const auto b_zeros, line_parameters(b_zero, shape.n, shape.b_matrices, "b_zero_point"));
  if (y_scale.count() != 1 || y_zero.count() != 1) return invalid_argument("y_scale and y_zero_point must be scalars");
  const double zero = load_double(y_zero, 0), divisor = load_double(y_scale, 0);
  for (size_t i = 0; i < shape.a_of.size(); ++i) {
    const int64_t am = shape.a_of[i], bm = shape.b_of[i];
    for (int64_t row = 0; row < shape.m; ++row) {
      SDX_TRY(ctx.check_cancelled());
      const double za = load_double(a_zero, a_zeros.index(am, row));
      for (int64_t column = 0; column < shape.n; ++column) {
        const double zb = load_double(b_zero, b_zeros.index(bm, column));
        double sum = 0;  // exact for integers: below 2^53 for every k that memory holds
        for (int64_t k = 0; k < shape.k; ++k)
          sum += (load_double(a, (am * shape.m + row) * shape.k + k) - za) *
                 (load_double(b, (bm * shape.k + k) * shape.n + column) - zb);
        if (!is_floating(a.dtype()) && !is_floating(b.dtype())) sum = static_cast<int32_t>(static_cast<int64_t>(sum));
        const DType precision = a_scale.dtype();
        const double scales = rounded_to(precision, load_double(a_scale, a_scales.index(am, row)) *
                                                        load_double(b_scale, b_scales.index(bm, column)));
        const double multiplier = rounded_to(precision, scales / divisor);
        const double value = rounded_to(DType::f32, rounded_to(DType::f32, sum) * multiplier);
        store_quantized(y, (static_cast<int64_t>(i) * shape.m + row) * shape.n + column, value, zero);
      }
    }
  }
  return {};
}

}  // namespace

SDX_OP(qlinear_matmul) = {
    .name = "QLinearMatMul",
    .since = 21,
    .infer = infer_qlinear_matmul,
    .reference = qlinear_matmul_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
