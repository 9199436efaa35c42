// What register tiles of convolutions do behind their sums.
#pragma once

#include "ops/fused_activation.h"

namespace sdx::ops {

// y = end(v) * scale + shift, where end is a clip or, of v, v * clip(v / 6 + 1 / 2, 0, 1).
struct TileEnd {
  bool hard_swish = false, scaled = false;
  float low = 0, high = 0;
  float scale = 1, shift = 0;
};

inline bool ends_in_tile(const FusedActivation& a) {
  using Kind = FusedActivation::Kind;
  return a.kind == Kind::none || a.kind == Kind::relu || a.kind == Kind::clip || a.kind == Kind::hard_swish;
}

// Changes nothing where the activation does not end in the tile.
inline TileEnd tile_end(const FusedActivation& a) {
  if (!ends_in_tile(a)) return {.low = a.low(), .high = a.high()};
  const bool hard_swish = a.kind == FusedActivation::Kind::hard_swish;
  return {hard_swish, a.is_scaled(), a.low(), a.high(), a.scale, a.shift};
}

}  // namespace sdx::ops
