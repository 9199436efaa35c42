// QLinearConv: y = saturate(round(sum * (x_scale * w_scale / y_scale)) + y_zero_point), ties to even, where sum is the
// integer convolution plus the bias. The multiplier and its product with the sum are float32, as in onnxruntime.
#include "ops/quant/convolution_shape.h"
#include "ops/quant/nhwc_qlinear_conv.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_qlinear_conv(InferContext& ctx) {
  SDX_ASSIGN(auto shape, infer_convolution(ctx, 0, 3));
  return tensor_fact(ctx.dtype(7), std::move(shape));
}

}  // namespace

SDX_OP(qlinear_conv) = {
    .name = "QLinearConv",
    .since = 10,
    .infer = infer_qlinear_conv,
    .reference = [](KernelContext& ctx) { return convolve_codes(ctx, ctx.output(0)); },
    .records_constraints = true,
};

}  // namespace sdx::ops
