#include "ops/conv/tile_row.h"

#include <algorithm>

#include "ops/conv/blocked_direct.h"

namespace sdx::ops {

void TileRow::run(ConvTileArgs& t, int64_t columns, const float* x, int64_t x_step, float* y, const float* z) const {
  const int64_t whole = full != nullptr ? columns / full_pixels : 0, rest = columns - whole * full_pixels;
  const int64_t count = ceil_div(rest, most), width = rest / std::max<int64_t>(count, 1), wider = rest - width * count;
  int64_t column = 0;
  const auto run_tiles = [&](int64_t same, int64_t pixels, ConvTile tile) {
    if (same == 0) return;
    t.tiles = same;
    t.tile_step = pixels * x_step;
    t.x = x + column * x_step;
    t.y = y + column * kChannelBlock;
    t.z = z != nullptr ? z + column * kChannelBlock : nullptr;
    tile(t);
    t.next += same * t.next_lines * t.blocks * t.tap_count * 16;
    column += same * pixels;
  };
  run_tiles(whole, full_pixels, full);
  if (wider > 0) run_tiles(wider, width + 1, tiles[width]);
  if (count > wider) run_tiles(count - wider, width, tiles[width - 1]);
}

}  // namespace sdx::ops
