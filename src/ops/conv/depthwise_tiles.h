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
  const DepthwiseTap* taps = nullptr;
  int64_t tap_count = 0;
  int64_t column = 0, columns = 0, stride = 0;  // of the input: under x, all, and between pixels
  int64_t missing_left = 0, missing_right = 0;  // columns under the first and the last pixel that are outside
  const float* w = nullptr;                     // [kernel element][16]
  const float* bias = nullptr;
  const float* z = nullptr;
  float* y = nullptr;
  TileEnd end;
};
using DepthwiseTile = void (*)(const DepthwiseArgs&);

// For kernels of `width` columns without dilation, whose elements come in whole rows; null for few pixels. At either
// end width / 2 columns may lie outside.
struct DepthwiseRows {
  int64_t width, stride;
  DepthwiseTile tile[kMaxTilePixels];
};

// Rows of y that are whole tiles, for kernels of 3x3 whose elements stay in registers for all of them. The kernel's
// middle row is inside.
struct DepthwiseStrip {
  const float* x = nullptr;                          // as in DepthwiseArgs
  int64_t kernel_row = 0, x_row = 0, y_row = 0;      // floats between rows of the kernel in x, and of y in x and in y
  int64_t rows = 0, tiles = 0;                       // of y, and of a row
  int64_t top = 0, dilation = 0, step = 0, all = 0;  // rows of x: under x, between those of the kernel and of y, all
  bool misses_left = false, misses_right = false;    // the columns under the first and the last kernel element
  const float* w = nullptr;                          // [kernel element][16]
  const float* bias = nullptr;
  const float* z = nullptr;
  float* y = nullptr;
  TileEnd end;
};
using DepthwiseStripTile = void (*)(const DepthwiseStrip&);

struct DepthwiseTiles {
  int max_pixels;
  DepthwiseStripTile strip[2][kMaxTilePixels];  // for steps of 1 and 2 between pixels; null for few pixels
  DepthwiseTile inner[kMaxTilePixels], inner_by_two[kMaxTilePixels];  // steps of 16 and 32 floats, all inside
  DepthwiseTile edge[kMaxTilePixels];                                 // any step; columns outside are zero
  DepthwiseRows rows[5];
};
const DepthwiseTiles& depthwise_tiles();  // at the SIMD level in force

}  // namespace sdx::ops
