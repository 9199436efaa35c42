// Resize, one axis at a time: sizes, scales, and which input positions with which weights make each output position.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

struct ResizeAxis {
  int64_t in = 0, out = 0;
  double scale = 1;
  double roi_start = 0, roi_end = 1;
  bool named = false;  // among `axes`
  bool changes(const Attributes& attributes) const;
};

// The small inputs of Resize; null where omitted or empty.
struct ResizeInputs {
  const Tensor* roi = nullptr;
  const Tensor* scales = nullptr;
  const Tensor* sizes = nullptr;
};

// All axes of an input of this shape.
Result<std::vector<ResizeAxis>> resize_axes(const Attributes& attributes, std::span<const int64_t> shape,
                                            const ResizeInputs& inputs);
// What `axes` names, all when absent.
Result<Shape> named_axes(const Attributes& attributes, int64_t rank);
// floor(size * scale) in float32. Of a symbol: the same in integers, recorded to be below what they are proven for.
Result<Dim> scaled_size(const InferContext& ctx, const Dim& size, float scale);

// Output position i is the sum of weight[i * taps + k] * x[index[i * taps + k]]; mode nearest has one tap of weight 1.
struct AxisTaps {
  int64_t taps = 1;
  std::vector<int64_t> index;
  std::vector<double> weight;
  std::vector<bool> outside;  // takes extrapolation_value; empty: nowhere
};
Status check_resize_attributes(const Attributes& attributes);
Result<AxisTaps> axis_taps(const Attributes& attributes, const ResizeAxis& axis);

}  // namespace sdx::ops
