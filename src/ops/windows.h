// Sliding windows over spatial axes, as convolutions and pools describe them: kernel_shape, strides, dilations, pads,
// auto_pad, ceil_mode.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

enum class Ceil : uint8_t { no, yes };

// What the attributes say, checked; lists have one entry a spatial axis.
struct WindowAttributes {
  enum class Pad : uint8_t { given, same_upper, same_lower, valid } pad = Pad::given;
  Shape kernel, strides, dilations, begin, end;
  Ceil ceil = Ceil::no;

  int64_t span(size_t axis) const { return (kernel[axis] - 1) * dilations[axis] + 1; }
};
// `kernel`: of the weights; empty: the attribute kernel_shape decides.
Result<WindowAttributes> read_windows(const Attributes& attributes, size_t axes, std::span<const int64_t> kernel);

// The number of windows along an axis.
Result<Dim> infer_windows(InferContext& ctx, const WindowAttributes& windows, size_t axis, const Dim& input);

// With numbers: pads resolved. Window `o` covers input elements o * stride - begin + i * dilation, i < kernel.
struct Windows {
  Shape in, out, kernel, strides, dilations, begin, end;
  size_t axes() const { return in.size(); }
};
// `out` as infer_windows gave it.
Windows resolve_windows(const WindowAttributes& attributes, std::span<const int64_t> in, std::span<const int64_t> out);

// Advances a row-major position; false after the last.
bool next_position(Shape& position, std::span<const int64_t> sizes);

// Calls f(kernel element, input element) for each element of the window at `out` that lies inside the input; both as
// linear indices.
template <typename F>
void for_each_in_window(const Windows& w, const Shape& out, F f) {
  const size_t axes = w.axes();
  Shape position(axes);
  int64_t kernel_at = 0;
  do {
    int64_t at = 0;
    bool inside = true;
    for (size_t axis = 0; axis < axes && inside; ++axis) {
      const int64_t i = out[axis] * w.strides[axis] - w.begin[axis] + position[axis] * w.dilations[axis];
      inside = i >= 0 && i < w.in[axis];
      at = at * w.in[axis] + i;
    }
    if (inside) f(kernel_at, at);
    ++kernel_at;
  } while (next_position(position, w.kernel));
}

}  // namespace sdx::ops
