// A convolution over three spatial axes as one over two: each output depth is an image, whose channels are those of the
// input at the depths that the kernel covers. Filters lie in this order already.
#pragma once

#include "ops/quant/convolution_shape.h"

namespace sdx::ops {

// Images n * depths + z, channels c * kernel depth + k.
ConvolutionShape as_planes(const ConvolutionShape& volume);
// x in that order: planes outside hold the zero point.
Status gather_depths(KernelContext& ctx, const ConvolutionShape& volume, const Tensor& x, int32_t x_zero, uint8_t* to);

}  // namespace sdx::ops
