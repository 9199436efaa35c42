// ConvTranspose as the mirror of a convolution from its output to its input.
#pragma once

#include "ops/conv/convolution.h"

namespace sdx::ops {

Result<Facts> infer_conv_transpose(InferContext& ctx);
// The sizes of the convolution that maps y to x: `channels` and `windows.in` are y's, `outputs` and `windows.out` x's.
Result<ConvSizes> conv_transpose_sizes(KernelContext& ctx);

}  // namespace sdx::ops
