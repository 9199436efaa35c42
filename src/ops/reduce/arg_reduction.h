// What ArgMax and ArgMin share: shape rule and reference.
#pragma once

#include "ops/op.h"
#include "ops/reduce/axis_view.h"

namespace sdx::ops {

Result<Facts> infer_arg_reduction(InferContext& ctx);

enum class ArgKind { max, min };
// NaN counts as the largest and as the smallest, as in numpy.
Status reference_arg_reduction(KernelContext& ctx, ArgKind kind);
AxisView arg_view(KernelContext& ctx);

// Columns [begin, end) of a [size, inner] matrix.
struct ArgColumns {
  int64_t size, inner, begin, end;
};
Status run_arg_reduction_f32(KernelContext& ctx, ArgKind kind);

}  // namespace sdx::ops
