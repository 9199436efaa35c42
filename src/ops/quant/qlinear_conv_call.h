// What QLinearConv's kernels read of a node's inputs 0 to 8, wherever the channels of x lie.
#pragma once

#include "ops/quant/convolution_shape.h"
#include "ops/quant/integer_convolution.h"
#include "ops/quant/integer_gemm.h"

namespace sdx::ops {

struct QLinearConvCall {
  ConvolutionShape shape;
  ConvolutionOperands operands;
  std::vector<float> multipliers;  // x_scale * w_scale / y_scale, one a filter or one for all
  Requantization to;
};

// `x_shape` is [N, C, spatial...]. Fails where a scale, zero point or bias has another number of values than is wanted.
Result<QLinearConvCall> qlinear_conv_call(const KernelContext& ctx, std::span<const int64_t> x_shape);

}  // namespace sdx::ops
