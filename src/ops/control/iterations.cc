#include "ops/control/iterations.h"

#include <algorithm>

#include "ops/tensor_parts.h"

namespace sdx::ops {

Status ScanOutput::append(Value value) {
  if (!value.is_tensor())
    return invalid_argument("scan output {} of the body is {}, a tensor is wanted", index_, to_text(value.type()));
  const Tensor& tensor = value.tensor();
  if (!parts_.empty()) {
    const Tensor& first = parts_.front();
    if (tensor.dtype() != first.dtype() || tensor.shape() != first.shape())
      return invalid_argument("scan output {} of the body is {}{} in iteration {}, {}{} in the first", index_,
                              name(tensor.dtype()), to_text(tensor.shape()), parts_.size(), name(first.dtype()),
                              to_text(first.shape()));
  }
  parts_.push_back(tensor);
  return {};
}

Result<Tensor> ScanOutput::finish(int64_t axis, bool reversed, const KernelContext& ctx, size_t output,
                                  const Fact& formal) {
  DType type = ctx.output_dtype(output);
  if (parts_.empty() && type != DType::undefined && ctx.output_shape_known(output) &&
      checked_count(ctx.output_shape(output)) == 0)
    return join_parts(type, parts_, ctx.output_shape(output), 0);
  Shape shape;
  if (!parts_.empty()) {
    shape = parts_.front().shape();
    type = parts_.front().dtype();
  } else {
    if (formal.shape)
      for (const Dim& dim : *formal.shape) shape.push_back(dim.is_known() ? dim.known() : 0);
    if (type == DType::undefined) type = formal.dtype;
    if (type == DType::undefined)
      return invalid_argument("scan output {}: no iteration ran, and its type is not known", index_);
  }
  const auto normal = normalize_axis(axis, static_cast<int64_t>(shape.size()) + 1);
  if (!normal)
    return invalid_argument("attribute scan_output_axes: axis {} of scan output {} is outside [-{}, {})", axis, index_,
                            shape.size() + 1, shape.size() + 1);
  Shape stacked;
  for (size_t i = 0; i <= shape.size(); ++i) {
    if (i == static_cast<size_t>(*normal)) stacked.push_back(static_cast<int64_t>(parts_.size()));
    if (i < shape.size()) stacked.push_back(shape[i]);
  }
  if (reversed) std::reverse(parts_.begin(), parts_.end());
  return join_parts(type, parts_, stacked, *normal);
}

}  // namespace sdx::ops
