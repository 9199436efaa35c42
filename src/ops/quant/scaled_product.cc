#include "ops/quant/scaled_product.h"

#include "base/element.h"

namespace sdx::ops {

Status scaled_product(KernelContext& ctx, const ScaledProduct& product, Tensor& y) {
  const Tensor &a = *product.a, &b = *product.b;
  SDX_ASSIGN(const MatmulShape shape, matmul_shape(a.shape(), b.shape()));
  SDX_ASSIGN(const auto a_scales, line_parameters(*product.a_scale, shape.m, shape.a_matrices, "a_scale"));
  SDX_ASSIGN(const auto b_scales, line_parameters(*product.b_scale, shape.n, shape.b_matrices, "b_scale"));
  LineParameters a_zeros, b_zeros;
  if (product.a_zero != nullptr) {
    SDX_ASSIGN(a_zeros, line_parameters(*product.a_zero, shape.m, shape.a_matrices, "a_zero_point"));
  }
  if (product.b_zero != nullptr) {
    SDX_ASSIGN(b_zeros, line_parameters(*product.b_zero, shape.n, shape.b_matrices, "b_zero_point"));
  }
  if (product.bias != nullptr && product.bias->count() != shape.n)
    return invalid_argument("the bias has {} values, {} are wanted", product.bias->count(), shape.n);
  const auto zero = [](const Tensor* t, int64_t at) { return t != nullptr ? load_i64(*t, at) : 0; };
  for (size_t i = 0; i < shape.a_of.size(); ++i) {
    const int64_t am = shape.a_of[i], bm = shape.b_of[i];
    for (int64_t row = 0; row < shape.m; ++row) {
      SDX_TRY(ctx.check_cancelled());
      const int64_t za = zero(product.a_zero, a_zeros.index(am, row));
      for (int64_t column = 0; column < shape.n; ++column) {
        const int64_t zb = zero(product.b_zero, b_zeros.index(bm, column));
        int64_t sum = 0;
        for (int64_t k = 0; k < shape.k; ++k)
          sum += (load_i64(a, (am * shape.m + row) * shape.k + k) - za) *
                 (load_i64(b, (bm * shape.k + k) * shape.n + column) - zb);
        double value = static_cast<double>(sum) * load_double(*product.a_scale, a_scales.index(am, row)) *
                       load_double(*product.b_scale, b_scales.index(bm, column));
        if (product.bias != nullptr) value += load_double(*product.bias, column);
        store_double(y, (static_cast<int64_t>(i) * shape.m + row) * shape.n + column, value);
      }
    }
  }
  return {};
}

}  // namespace sdx::ops
