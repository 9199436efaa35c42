// Products of 8-bit matrices times scales, in float: com.microsoft's MatMulIntegerToFloat and DynamicQuantizeMatMul.
#pragma once

#include "ops/quant/matmul_shape.h"

namespace sdx::ops {

struct ScaledProduct {
  const Tensor* a = nullptr;
  const Tensor* a_scale = nullptr;  // one, or one a row
  const Tensor* a_zero = nullptr;   // null: 0
  const Tensor* b = nullptr;
  const Tensor* b_scale = nullptr;  // one, or one a column
  const Tensor* b_zero = nullptr;
  const Tensor* bias = nullptr;  // null, or one a column
};
// y = (a - a_zero) (b - b_zero) * (a_scale * b_scale) + bias
Status scaled_product(KernelContext& ctx, const ScaledProduct& product, Tensor& y);

}  // namespace sdx::ops
