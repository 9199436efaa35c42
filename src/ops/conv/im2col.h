// The matrix that turns a convolution into a product: rows are (channel, kernel element), columns are output positions.
// Never made whole: panels of it, when the product asks.
#pragma once

#include "ops/windows.h"

namespace sdx::ops {

// Three spatial axes; where there are fewer, the first ones have size 1.
struct Im2col {
  int64_t in[3], out[3], kernel[3], stride[3], dilation[3], begin[3];
};
Im2col make_im2col(const Windows& windows);  // of at most three axes

// x: the first channel. Rows [p, p + count), columns [column, column + columns) as panel[count][width].
using FillIm2col = void (*)(const Im2col& sizes, const float* x, int64_t p, int64_t count, int64_t column,
                            int64_t columns, float* panel);
FillIm2col fill_im2col();  // at the SIMD level in force, whose panels it fills

}  // namespace sdx::ops
