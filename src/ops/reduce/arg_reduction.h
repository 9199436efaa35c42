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
// Of a row; of short rows, one after another (null: none such); of columns, written to y[column].
template <typename T>
struct ArgSteps {
  int64_t (*row)(const T* x, size_t count, bool last);
  void (*short_rows)(const T* x, size_t size, size_t rows, bool last, int64_t* y);
  void (*columns)(const T* x, const ArgColumns& columns, bool last, int64_t* y);
};
ArgSteps<float> arg_max_steps();
Verdict can_run_arg_reduction(const NodeFacts& facts);
Status run_arg_reduction(KernelContext& ctx, ArgKind kind);
Dim arg_reduction_scratch(const ScratchFacts& facts);

}  // namespace sdx::ops
