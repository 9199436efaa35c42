// ConvInteger: the convolution of x - x_zero_point with w - w_zero_point in int32, which wraps; padding counts as
// x_zero_point. The zero point of w is for the tensor or an output channel.
#include "ops/quant/convolution_shape.h"
#include "ops/quant/matmul_shape.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_conv_integer(InferContext& ctx) {
  SDX_ASSIGN(auto shape, infer_convolution(ctx, 0, 1));
  return tensor_fact(DType::i32, std::move(shape));
}

Status conv_integer_reference(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &w = ctx.input(1);
  SDX_ASSIGN(const ConvolutionShape shape, convolution_shape(ctx.attributes(), x.shape(), w.shape()));
  std::vector<int64_t> w_zeros{0};
  if (ctx.has_input(3)) {
    SDX_TRY(line_parameters(ctx.input(3), shape.filters, 1, "w_zero_point").status());
    w_zeros.clear();
    for (int64_t i = 0; i < ctx.input(3).count(); ++i) w_zeros.push_back(load_i64(ctx.input(3), i));
  }
  if (ctx.has_input(2) && ctx.input(2).count() != 1) return invalid_argument("x_zero_point must be a scalar");
  Tensor& y = ctx.output(0);
  convolve_exactly(shape, x, ctx.has_input(2) ? load_i64(ctx.input(2), 0) : 0, w, w_zeros,
                   [&](int64_t index, int64_t, int64_t sum) { store_i64(y, index, sum); });
  return {};
}

}  // namespace

SDX_OP(conv_integer) = {
    .name = "ConvInteger",
    .since = 10,
    .infer = infer_conv_integer,
    .reference = conv_integer_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
