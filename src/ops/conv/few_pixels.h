// Convolutions whose output is a few pixels, over weights as they lie: each element is a dot product of a filter with
// a pixel's column of the im2col matrix. What sound and control networks run step by step, where no shape is known
// ahead.
#pragma once

#include "ops/conv/conv_f32.h"
#include "ops/conv/convolution.h"

namespace sdx::ops {

int64_t most_pixels(int64_t depth);  // 0: not worth it
bool has_few_pixels(const ConvSizes& sizes);
Status run_few_pixels(KernelContext& ctx, const ConvSizes& sizes, const float* weights, const ConvEnd& end);

// Filters times pixels: y[filter * y_row + pixel], with a bias for each filter unless it is null, clipped.
struct PixelDots {
  const float* weights;  // [filters][depth]
  const float* columns;  // [pixels][depth]
  const float* bias;
  int64_t filters, pixels, depth;
  float* y;
  int64_t y_row;
  float low, high;
};
using DotPixels = void (*)(const PixelDots&);
DotPixels dot_pixels_kernel();

}  // namespace sdx::ops
