#include "ops/conv/tile_row.h"

#include <algorithm>

#include "ops/conv/blocked_direct.h"

namespace sdx::ops {

void TileRow::run(ConvTileArgs& t, int64_t columns, const float* x, int64_t x_step, float* y, const float* z) const {
  const int64_t whole = full != nullptr ? columns / full_pixels : 0, rest = columns - whole * full_pixels;
  const int64_t count = ceil_div(rest, most), width = rest / std::max<int64_t>(count, 1), wider = rest - width * count;
  for (int64_t i = -whole, column = 0; i < count; ++i) {
    const int64_t pixels = i < 0 ? full_pixels : i < wider ? width + 1 : width;
    t.x = x + column * x_step;
    t.y = y + column * kChannelBlock;
    t.z = z != nullptr ? z + column * kChannelBlock : nullptr;
    (i < 0 ? full : tiles[pixels - 1])(t);
    t.next += t.next_lines * t.blocks * t.tap_count * 16;
    column += pixels;
  }
}

}  // namespace sdx::ops
