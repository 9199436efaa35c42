// The inner loops of convolutions of few filters: vectors of neighbouring outputs of a row, for some filters at once.
#pragma once

#include "ops/conv/blocked_tiles.h"

namespace sdx::ops {

struct RowTileArgs {
  const float* x = nullptr;  // the first output's input under tap offset 0
  const ConvTap* taps = nullptr;
  int64_t tap_count = 0;
  const float* w = nullptr;      // [tap index][filters of the tile]
  const float* start = nullptr;  // what the sums begin with, one number a filter; null: y
  float* y = nullptr;
  int64_t y_step = 0;   // between filters
  int64_t filters = 0;  // that are stored
  int64_t columns = 0;  // that are stored; as many are read as the tile has
  float low = 0, high = 0;
};
using RowTile = void (*)(const RowTileArgs&);

// Tiles for 1, 2, 4 and 8 filters, the widest first, down to one vector.
struct RowTiles {
  static constexpr int kMostTiles = 4;
  struct Choice {
    int filters;
    int count;
    RowTile tile[kMostTiles];
    int64_t columns[kMostTiles];
  } choices[4];
};
const RowTiles& row_tiles();  // at the SIMD level in force

inline constexpr int64_t kMostRowFilters = 8, kRowSlack = 128;  // floats that are read beyond a row

}  // namespace sdx::ops
