// Pools over regions of interest: x [batch, channels, height, width], rois [regions, fields].
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// [regions, channels, height, width], checked against x and rois.
Result<Fact> infer_regions(InferContext& ctx, int64_t fields, int64_t height, int64_t width);

}  // namespace sdx::ops
