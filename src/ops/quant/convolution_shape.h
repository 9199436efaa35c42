// Geometry of the integer convolutions: x [n, c, spatial...], w [m, c / group, kernel...].
#pragma once

#include "ops/op.h"

namespace sdx::ops {

Result<std::optional<SymShape>> infer_convolution(InferContext& ctx, size_t x, size_t w);
// The same for x of this shape.
Result<std::optional<SymShape>> infer_convolution_of(InferContext& ctx, const SymShape& x, size_t w);

struct ConvolutionShape {
  int64_t batch = 0, channels = 0, group = 1, filters = 0;  // filters: output channels
  Shape in, out, kernel, strides, dilations, pads;          // spatial; pads: at the beginning of each axis
  int64_t channels_per_group() const { return channels / group; }
  int64_t filters_per_group() const { return filters / group; }
};
// The spatial part with two axes.
struct PlaneShape {
  explicit PlaneShape(const ConvolutionShape& shape);

  int64_t in_height, in_width, out_height, out_width;
  int64_t kernel_height, kernel_width, stride_y, stride_x, step_y, step_x, top, left;
  int64_t in_pixels() const { return in_height * in_width; }
  int64_t pixels() const { return out_height * out_width; }
  int64_t taps() const { return kernel_height * kernel_width; }
};
// For shapes that passed the shape rule.
Result<ConvolutionShape> convolution_shape(const Attributes& attributes, std::span<const int64_t> x,
                                           std::span<const int64_t> w);

// y[n, m, position...] = sum over the positions inside x of (x - x_zero) * (w - w_zero[m]), exact; f gets the linear
// index of the output and the filter.
template <typename F>
void convolve_exactly(const ConvolutionShape& shape, const Tensor& x, int64_t x_zero, const Tensor& w,
                      const std::vector<int64_t>& w_zeros, F f);

}  // namespace sdx::ops

#include "base/element.h"

namespace sdx::ops {

template <typename F>
void convolve_exactly(const ConvolutionShape& shape, const Tensor& x, int64_t x_zero, const Tensor& w,
                      const std::vector<int64_t>& w_zeros, F f) {
  const size_t axes = shape.in.size();
  const int64_t kernel_size = count_of(shape.kernel), in_size = count_of(shape.in), out_size = count_of(shape.out);
  const Shape in_strides = row_major_strides(shape.in);
  int64_t index = 0;
  for (int64_t n = 0; n < shape.batch; ++n) {
    for (int64_t m = 0; m < shape.filters; ++m) {
      const int64_t first_channel = m / shape.filters_per_group() * shape.channels_per_group();
      const int64_t w_zero = w_zeros[w_zeros.size() == 1 ? 0 : static_cast<size_t>(m)];
      for (int64_t position = 0; position < out_size; ++position, ++index) {
        int64_t sum = 0;
        for (int64_t tap = 0; tap < kernel_size; ++tap) {
          int64_t offset = 0, out_rest = position, tap_rest = tap;
          bool inside = true;
          for (size_t d = axes; d-- > 0;) {
            const int64_t at = out_rest % shape.out[d] * shape.strides[d] - shape.pads[d] +
                               tap_rest % shape.kernel[d] * shape.dilations[d];
            out_rest /= shape.out[d];
            tap_rest /= shape.kernel[d];
            inside = inside && at >= 0 && at < shape.in[d];
            offset += at * in_strides[d];
          }
          if (!inside) continue;
          for (int64_t c = 0; c < shape.channels_per_group(); ++c)
            sum += (load_i64(x, (n * shape.channels + first_channel + c) * in_size + offset) - x_zero) *
                   (load_i64(w, (m * shape.channels_per_group() + c) * kernel_size + tap) - w_zero);
        }
        f(index, m, sum);
      }
    }
  }
}

}  // namespace sdx::ops
