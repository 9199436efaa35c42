// The inner loops of depthwise convolutions over blocked channels: the sums of a few pixels live in registers.
#pragma once

#include <cstdint>

#include "ops/conv/blocked_tiles.h"

namespace sdx::ops {

struct DepthwiseTap {
  int64_t offset, index;  // as in ConvTap
  int64_t column;         // of the input, relative to that of the first kernel element
};

struct DepthwiseArgs {
  const float* x = nullptr;  // under the first kernel element of the first pixel, even where that is outside
  int64_t step = 0;          // floats between pixels
  int64_t row_step = 0;      // floats of x between the two rows of a pair
  const DepthwiseTap* taps = nullptr;
  int64_t tap_count = 0;
  int64_t column = 0, columns = 0, stride = 0;  // of the input: under x, all, and between pixels
  const float* w = nullptr;                     // [kernel element][16]
  const float* bias = nullptr;
  const float* z = nullptr;
  float* y = nullptr;
  int64_t y_row = 0;  // floats of y and z between the two rows of a pair
  TileEnd end;
};
using DepthwiseTile = void (*)(const DepthwiseArgs&);

struct DepthwiseTiles {
  int max_pixels, max_pair_pixels;
  DepthwiseTile inner[kMaxTilePixels], inner_by_two[kMaxTilePixels];  // steps of 16 and 32 floats, all inside
  DepthwiseTile pair[kMaxTilePixels];                                 // inner, of two rows
  DepthwiseTile edge[kMaxTilePixels];                                 // any step; columns outside are zero
};
const DepthwiseTiles& depthwise_tiles();  // at the SIMD level in force

}  // namespace sdx::ops
