// A row of scattered float32 elements merged into the one that is there.
#pragma once

#include "ops/index/reduction.h"

namespace sdx::ops {

// y[i] = reduced(reduction, y[i], updates[i]).
using MergeRowF32 = void (*)(float* y, const float* updates, size_t count);
MergeRowF32 merge_row_f32(Reduction reduction);

}  // namespace sdx::ops
