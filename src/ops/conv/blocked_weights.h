// What blocked convolutions keep of their weights: panels of output channels, see ConvTileArgs.
#pragma once

#include "ops/conv/blocked_tiles.h"

namespace sdx::ops {

// Weights [M, C / groups, kernel...] as numbers.
struct FilterSizes {
  int64_t outputs = 0, depth = 0, taps = 0;  // filters in a group, their channels and kernel elements
  int64_t groups = 1;
};
FilterSizes filter_sizes(const NodeFacts& facts);  // the weights' shape is known

inline constexpr int64_t kTapsByChannel = 9;

struct PanelLayout {
  PanelLayout(const FilterSizes& sizes, const BlockedTiles& tiles);

  // The same for weights of float16, counted in floats.
  PanelLayout of_halves() const;

  int64_t blocks;                  // of a group's output channels
  int64_t panels;                  // whole ones, of panel_blocks
  bool has_narrow;                 // and one of one block
  int64_t width, narrow_width;     // floats in a row
  int64_t panel_size, group_size;  // floats
  bool by_channel;                 // rows are [input channel][kernel element], for convolutions of few elements
  int64_t panel_count() const { return panels + (has_narrow ? 1 : 0); }
};

// Weights of float16 stay so where tiles convert them; elsewhere they are packed as floats, times the factor.
struct BlockedWeights : KernelState {
  const BlockedTiles* tiles = nullptr;
  Tensor packed;

  bool has_halves() const { return packed.dtype() == DType::f16; }
  const float* data() const { return reinterpret_cast<const float*>(packed.raw()); }
  PanelLayout layout(const FilterSizes& sizes) const;  // counted in floats of data()
};

int64_t blocked_weights_bytes(const NodeFacts& facts);
// Every so many windows (a channel of a filter), in order, times the factor.
struct WindowSample {
  int64_t step = 1;
  FunctionRef<void(const float* window)> see;
};
// `block`: input channels that lie together in a panel; 1 where x is plain.
Status pack_blocked_weights(const NodeFacts& facts, int64_t block, BlockedWeights& weights,
                            const WindowSample* sample = nullptr);

}  // namespace sdx::ops
