// com.microsoft.QLinearConv, and with more behind it.
#pragma once

#include "ops/op.h"
#include "ops/quant/qlinear.h"

namespace sdx::ops {

// Inputs 0 to 8 are QLinearConv's; x and y lie as the attribute channels_last says.
Result<Facts> infer_nhwc_qlinear_conv(InferContext& ctx);
Status convolve_nhwc(KernelContext& ctx, Tensor& y);  // exactly

// QLinearConvAdd: of its convolution (`is_second`: b, else a), other codes and y.
struct ConvolutionSum {
  QlinearScales scales;
  bool is_second = false;
};
Result<ConvolutionSum> convolution_sum(const KernelContext& ctx);

}  // namespace sdx::ops
