// com.microsoft.QLinearConv, and other convolutions whose channels are last.
#pragma once

#include "base/function_ref.h"
#include "ops/op.h"
#include "ops/quant/qlinear.h"

namespace sdx::ops {

// Inputs 0 to 8 are QLinearConv's; x and y lie as the attribute channels_last says.
Result<Facts> infer_nhwc_qlinear_conv(InferContext& ctx);
Status convolve_codes(KernelContext& ctx, Tensor& y);

// x and y [N, spatial..., C], w [M, C / group, kernel...].
Result<std::optional<SymShape>> infer_nhwc_convolution(InferContext& ctx, size_t x, size_t w);

// Sums in integers, with the bias: f gets the index in y, the filter and the sum, modulo 2^32. Zero points and bias may
// be absent.
struct ConvolutionInputs {
  size_t x, w, x_zero, w_zero, bias;
};
enum class Channels : uint8_t { second, last };
Status convolve_nhwc(KernelContext& ctx, Channels channels, const ConvolutionInputs& inputs,
                     FunctionRef<void(int64_t, int64_t, int32_t)> f);

// QLinearConvAdd: of its convolution (`is_second`: b, else a), other codes and y.
struct ConvolutionSum {
  QlinearScales scales;
  bool is_second = false;
};
Result<ConvolutionSum> convolution_sum(const KernelContext& ctx);

}  // namespace sdx::ops
