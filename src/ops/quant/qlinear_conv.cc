// QLinearConv: y = saturate(round(sum * (x_scale * w_scale / y_scale)) + y_zero_point), ties to even, where sum is the
// integer convolution plus the bias. The multiplier and its product with the sum are float32, as in onnxruntime.
#include "ops/quant/convolution_shape.h"
#include "ops/quant/matmul_shape.h"
#include "ops/quant/quantization.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_qlinear_conv(InferContext& ctx) {
  SDX_ASSIGN(auto shape, infer_convolution(ctx, 0, 3));
  return tensor_fact(ctx.dtype(7), std::move(shape));
}

Status qlinear_conv_reference(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &w = ctx.input(3), &w_scale = ctx.input(4), &w_zero = ctx.input(5);
  SDX_ASSIGN(const ConvolutionShape shape, convolution_shape(ctx.attributes(), x.shape(), w.shape()));
  for (const auto& [input, what] :
       {std::pair(1, "x_scale"), std::pair(2, "x_zero_point"), std::pair(6, "y_scale"), std::pair(7, "y_zero_point")})
    if (ctx.input(static_cast<size_t>(input)).count() != 1) return invalid_argument("{} must be a scalar", what);
  SDX_ASSIGN(const auto scales, line_parameters(w_scale, shape.filters, 1, "w_scale"));
  SDX_TRY(line_parameters(w_zero, shape.filters, 1, "w_zero_point").status());
  if (ctx.has_input(8) && ctx.input(8).count() != shape.filters)
    return invalid_argument("the bias has {} values, {} are wanted", ctx.input(8).count(), shape.filters);
  std::vector<int64_t> w_zeros;
  for (int64_t i = 0; i < w_zero.count(); ++i) w_zeros.push_back(load_i64(w_zero, i));
  const auto x_scale = static_cast<float>(load_double(ctx.input(1), 0));
  const auto y_scale = static_cast<float>(load_double(ctx.input(6), 0));
  const double y_zero = load_double(ctx.input(7), 0);
  Tensor& y = ctx.output(0);
  convolve_exactly(shape, x, load_i64(ctx.input(2), 0), w, w_zeros, [&](int64_t index, int64_t m, int64_t sum) {
    if (ctx.has_input(8)) sum += load_i64(ctx.input(8), m);
    const auto w_scale_m = static_cast<float>(load_double(w_scale, scales.index(0, m)));
    const float multiplier = x_scale * w_scale_m / y_scale;
    store_quantized(y, index, static_cast<float>(static_cast<int32_t>(sum)) * multiplier, y_zero);
  });
  return {};
}

}  // namespace

SDX_OP(qlinear_conv) = {
    .name = "QLinearConv",
    .since = 10,
    .infer = infer_qlinear_conv,
    .reference = qlinear_conv_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
