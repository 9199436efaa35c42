// com.microsoft.QLinearConv: the standard's, and with channels_last over x and y [N, spatial..., C]; w stays [M, C /
// group, kernel...].
#include "ops/quant/nhwc_qlinear_conv.h"

#include "ops/input_rules.h"
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

Result<std::optional<SymShape>> infer_nhwc_convolution(InferContext& ctx, size_t x, size_t w) {
  if (!ctx.has_rank(x)) return std::optional<SymShape>();
  if (ctx.input(x).rank() < 3) return ctx.fail("x has rank {}, at least 3 is wanted", ctx.input(x).rank());
  SDX_ASSIGN(auto shape, infer_convolution_of(ctx, channels_second(*ctx.input(x).shape), w));
  if (shape) std::rotate(shape->begin() + 1, shape->begin() + 2, shape->end());
  return shape;
}

Status convolve_nhwc(KernelContext& ctx, Channels channels, const ConvolutionInputs& inputs,
                     FunctionRef<void(int64_t, int64_t, int32_t)> f) {
  const Tensor &given = ctx.input(inputs.x), &w = ctx.input(inputs.w);
  const bool is_last = channels == Channels::last;
  const Shape x_shape = is_last ? channels_second(Shape(given.shape())) : Shape(given.shape());
  SDX_ASSIGN(const ConvolutionShape shape, convolution_shape(ctx.attributes(), x_shape, w.shape()));
  std::vector<int64_t> w_zeros{0};
  if (ctx.has_input(inputs.w_zero)) {
    const Tensor& w_zero = ctx.input(inputs.w_zero);
    SDX_TRY(line_parameters(w_zero, shape.filters, 1, "w_zero_point").status());
    w_zeros.clear();
    for (int64_t i = 0; i < w_zero.count(); ++i) w_zeros.push_back(load_i64(w_zero, i));
  }
  if (ctx.has_input(inputs.x_zero) && ctx.input(inputs.x_zero).count() != 1)
    return invalid_argument("x_zero_point must be a scalar");
  const bool has_bias = ctx.has_input(inputs.bias);
  if (has_bias && ctx.input(inputs.bias).count() != shape.filters)
    return invalid_argument("the bias has {} values, {} are wanted", ctx.input(inputs.bias).count(), shape.filters);
  SDX_ASSIGN(Tensor x, Tensor::allocate(given.dtype(), x_shape));
  const int64_t in_pixels = count_of(shape.in), out_pixels = count_of(shape.out);
  for (int64_t i = 0; i < x.count(); ++i)
    store_i64(x, i, load_i64(given, is_last ? place_with_channels_last(i, shape.channels, in_pixels) : i));
  const int64_t x_zero = ctx.has_input(inputs.x_zero) ? load_i64(ctx.input(inputs.x_zero), 0) : 0;
  convolve_exactly(shape, x, x_zero, w, w_zeros, [&](int64_t index, int64_t m, int64_t sum) {
    if (has_bias) sum += load_i64(ctx.input(inputs.bias), m);
    f(is_last ? place_with_channels_last(index, shape.filters, out_pixels) : index, m, static_cast<int32_t>(sum));
  });
  return {};
}

Result<Facts> infer_nhwc_qlinear_conv(InferContext& ctx) {
  const bool is_last = has_channels_last(ctx.attributes());
  SDX_ASSIGN(auto shape, is_last ? infer_nhwc_convolution(ctx, 0, 3) : infer_convolution(ctx, 0, 3));
  return tensor_fact(ctx.dtype(7), std::move(shape));
}

namespace {

Result<Facts> infer_qlinear_conv(InferContext& ctx) {
  constexpr DTypeSet kScale = set_of(DType::f32);
  constexpr InputRule kRules[] = {{0, kBytes}, {1, kScale}, {2, kBytes},
                                  {3, kBytes}, {4, kScale}, {5, kBytes},
                                  {6, kScale}, {7, kBytes}, {8, set_of(DType::i32), kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  return infer_nhwc_qlinear_conv(ctx);
}

}  // namespace

Status convolve_codes(KernelContext& ctx, Tensor& y) {
  const Tensor& w_scale = ctx.input(4);
  for (const auto& [input, what] : {std::pair(1, "x_scale"), std::pair(6, "y_scale"), std::pair(7, "y_zero_point")})
    if (ctx.input(static_cast<size_t>(input)).count() != 1) return invalid_argument("{} must be a scalar", what);
  SDX_ASSIGN(const auto scales, line_parameters(w_scale, ctx.input(3).dim(0), 1, "w_scale"));
  const auto x_scale = static_cast<float>(load_double(ctx.input(1), 0));
  const auto y_scale = static_cast<float>(load_double(ctx.input(6), 0));
  const double y_zero = load_double(ctx.input(7), 0);
  const Channels channels = has_channels_last(ctx.attributes()) ? Channels::last : Channels::second;
  return convolve_nhwc(ctx, channels, {.x = 0, .w = 3, .x_zero = 2, .w_zero = 5, .bias = 8},
                       [&](int64_t at, int64_t m, int32_t sum) {
                         const auto w_scale_m = static_cast<float>(load_double(w_scale, scales.index(0, m)));
                         const float multiplier = x_scale * w_scale_m / y_scale;
                         store_quantized(y, at, static_cast<float>(sum) * multiplier, y_zero);
                       });
}

SDX_OP(nhwc_qlinear_conv) = {
    .name = "QLinearConv",
    .domain = "com.microsoft",
    .infer = infer_qlinear_conv,
    .reference = [](KernelContext& ctx) { return convolve_codes(ctx, ctx.output(0)); },
    .records_constraints = true,
};

}  // namespace sdx::ops
