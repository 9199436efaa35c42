// What Softmax, LogSoftmax and Hardmax share: shape rule, lines along the axis, the older opsets' flattening.
#pragma once

#include "ops/op.h"
#include "ops/reduce/axis_view.h"

namespace sdx::ops {

Result<Facts> infer_softmax(InferContext& ctx);
AxisView softmax_view(KernelContext& ctx);

// y from x, for each line along the axis, in double.
Status reference_softmax(KernelContext& ctx, void (*line)(std::span<double> x));

// Float32 kernels: of a row along the innermost axis; of `width` columns, kAxisColumns at most, of a [size, step]
// matrix.
inline constexpr int64_t kAxisColumns = 64;
using AxisRow = void (*)(const float* x, float* y, size_t count);
using AxisColumns = void (*)(const float* x, float* y, int64_t size, int64_t step, size_t width);
Status run_along_axis(KernelContext& ctx, AxisRow row, AxisColumns columns);
Status run_along_axis(KernelContext& ctx, const AxisView& view, const float* x, float* y, AxisRow row,
                      AxisColumns columns);

// Below opset 13 the input was seen as a matrix that is cut at the axis (1 by default).
Status flatten_at_axis(UpgradeContext& ctx);

}  // namespace sdx::ops
