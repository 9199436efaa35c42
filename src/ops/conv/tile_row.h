// A row of pixels in tiles.
#pragma once

#include "ops/conv/blocked_tiles.h"

namespace sdx::ops {

struct TileRow {
  const ConvTile* tiles = nullptr;  // for 1, 2, ... pixels
  int64_t most = 1;                 // pixels of a tile
  // For so many pixels alone, and better than others; null: there is none.
  ConvTile full = nullptr;
  int64_t full_pixels = 1;

  // As many full tiles as there are, the rest in tiles of nearly equal width: 16 pixels are 8 and 8, not 14 and 2.
  // x: of the first pixel, x_step floats apart; y and z (may be null): in blocks. t.next moves on.
  void run(ConvTileArgs& t, int64_t columns, const float* x, int64_t x_step, float* y, const float* z) const;
};

}  // namespace sdx::ops
