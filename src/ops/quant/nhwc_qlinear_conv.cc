// com.microsoft.QLinearConv: the standard's, and with channels_last over x and y [N, spatial..., C]; w stays [M, C /
// group, kernel...].
#include "ops/quant/nhwc_qlinear_conv.h"

#include "ops/quant/convolution_shape.h"
#include "ops/quant/matmul_shape.h"
#include "ops/quant/quantization.h"

namespace sdx::ops {
namespace {

bool has_channels_last(const Attributes& attributes) { return attributes.get_int("channels_last", 0) != 0; }

// Axes of [N, C, spatial...] from those of [N, spatial..., C].
template <typename List>
List channels_second(const List& last) {
  List made = last;
  std::rotate(made.begin() + 1, made.end() - 1, made.end());
  return made;
}

// [N, spatial..., C] as [N, C, spatial...]: of element i of the second, the place in the first.
int64_t place_with_channels_last(int64_t i, int64_t channels, int64_t pixels) {
  const int64_t pixel = i % pixels, channel = i / pixels % channels;
  return (i / (pixels * channels) * pixels + pixel) * channels + channel;
}

}  // namespace

Result<Facts> infer_nhwc_qlinear_conv(InferContext& ctx) {
  if (!has_channels_last(ctx.attributes())) {
    SDX_ASSIGN(auto shape, infer_convolution(ctx, 0, 3));
    return tensor_fact(ctx.dtype(7), std::move(shape));
  }
  if (!ctx.has_rank(0)) return tensor_fact(ctx.dtype(7), std::nullopt);
  if (ctx.input(0).rank() < 3) return ctx.fail("x has rank {}, at least 3 is wanted", ctx.input(0).rank());
  SDX_ASSIGN(auto shape, infer_convolution_of(ctx, channels_second(*ctx.input(0).shape), 3));
  if (shape) std::rotate(shape->begin() + 1, shape->begin() + 2, shape->end());
  return tensor_fact(ctx.dtype(7), std::move(shape));
}

Status convolve_nhwc(KernelContext& ctx, Tensor& y) {
  const Tensor &given = ctx.input(0), &w = ctx.input(3), &w_scale = ctx.input(4), &w_zero = ctx.input(5);
  const bool is_last = has_channels_last(ctx.attributes());
  const Shape x_shape = is_last ? channels_second(Shape(given.shape())) : Shape(given.shape());
  SDX_ASSIGN(const ConvolutionShape shape, convolution_shape(ctx.attributes(), x_shape, w.shape()));
  for (const auto& [input, what] :
       {std::pair(1, "x_scale"), std::pair(2, "x_zero_point"), std::pair(6, "y_scale"), std::pair(7, "y_zero_point")})
    if (ctx.input(static_cast<size_t>(input)).count() != 1) return invalid_argument("{} must be a scalar", what);
  SDX_ASSIGN(const auto scales, line_parameters(w_scale, shape.filters, 1, "w_scale"));
  SDX_TRY(line_parameters(w_zero, shape.filters, 1, "w_zero_point").status());
  if (ctx.has_input(8) && ctx.input(8).count() != shape.filters)
    return invalid_argument("the bias has {} values, {} are wanted", ctx.input(8).count(), shape.filters);
  std::vector<int64_t> w_zeros;
  for (int64_t i = 0; i < w_zero.count(); ++i) w_zeros.push_back(load_i64(w_zero, i));
  SDX_ASSIGN(Tensor x, Tensor::allocate(given.dtype(), x_shape));
  const int64_t in_pixels = count_of(shape.in), out_pixels = count_of(shape.out);
  for (int64_t i = 0; i < x.count(); ++i)
    store_i64(x, i, load_i64(given, is_last ? place_with_channels_last(i, shape.channels, in_pixels) : i));
  const auto x_scale = static_cast<float>(load_double(ctx.input(1), 0));
  const auto y_scale = static_cast<float>(load_double(ctx.input(6), 0));
  const double y_zero = load_double(ctx.input(7), 0);
  convolve_exactly(shape, x, load_i64(ctx.input(2), 0), w, w_zeros, [&](int64_t index, int64_t m, int64_t sum) {
    if (ctx.has_input(8)) sum += load_i64(ctx.input(8), m);
    const auto w_scale_m = static_cast<float>(load_double(w_scale, scales.index(0, m)));
    const float multiplier = x_scale * w_scale_m / y_scale;
    store_quantized(y, is_last ? place_with_channels_last(index, shape.filters, out_pixels) : index,
                    static_cast<float>(static_cast<int32_t>(sum)) * multiplier, y_zero);
  });
  return {};
}

SDX_OP(nhwc_qlinear_conv) = {
    .name = "QLinearConv",
    .domain = "com.microsoft",
    .infer = infer_nhwc_qlinear_conv,
    .reference = [](KernelContext& ctx) { return convolve_nhwc(ctx, ctx.output(0)); },
    .records_constraints = true,
};

}  // namespace sdx::ops
