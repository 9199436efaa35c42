// What Softmax, LogSoftmax and Hardmax share: shape rule, lines along the axis, the older opsets' flattening.
#pragma once

#include "ops/op.h"
#include "ops/reduce/axis_view.h"

namespace sdx::ops {

Result<Facts> infer_softmax(InferContext& ctx);
AxisView softmax_view(KernelContext& ctx);

// y from x, for each line along the axis, in double.
Status reference_softmax(KernelContext& ctx, void (*line)(std::span<double> x));

// Below opset 13 the input was seen as a matrix that is cut at the axis (1 by default).
Status flatten_at_axis(UpgradeContext& ctx);

}  // namespace sdx::ops
