// The inner loops of convolutions over blocked channels: a tile of pixels x output channels lives in registers while
// weights stream by. One table of functions per SIMD level.
#pragma once

#include <cstdint>

#include "ops/conv/blocked_conv.h"
#include "ops/conv/tile_end.h"

namespace sdx::ops {

// A kernel element: where its input lies, in floats from that of the first; its place among the weights.
struct ConvTap {
  int32_t offset, index;
};

// Weights of a panel of output channels: [block of input channels][kernel element][channel][width], or, for few kernel
// elements, [input channel][kernel element][width].
struct ConvTileArgs {
  const float* x = nullptr;  // the first pixel's input under tap offset 0
  int64_t tiles = 1;         // side by side
  int64_t tile_step = 0;     // floats of x between them
  int64_t block_step = 0;    // floats between blocks of input channels
  int64_t blocks = 0;
  int64_t depth = 0, last_depth = 0;  // channels in a block, and in the last one
  const ConvTap* taps = nullptr;
  int64_t tap_count = 0;
  const int64_t* listed = nullptr;  // instead of blocks and taps: where the elements lie, in floats from x
  int64_t listed_count = 0;
  int64_t pixel_step = 1;                      // floats between pixels, where x is not blocked
  int64_t lanes_before = 0, lanes_behind = 0;  // of a listed tile: at both ends, where y stays as it is
  const int64_t* listed_before = nullptr;      // of a shared tile: the elements of its first lanes_before lanes
  const float* w = nullptr;  // or halves: sizes and steps of w are in floats all the same, two halves each
  int64_t width = 0;         // floats in a row of a panel
  int64_t channel_step = 0, tap_step = 0;  // between channels, and kernel elements; 0: depth * width
  int64_t block_size = 0;                  // floats of a panel between blocks of input channels
  int64_t panel_size = 0;                  // floats between panels, where a tile takes two
  const float* next = nullptr;  // weights that are wanted soon; with every kernel element, so many lines of 64 bytes
  int64_t next_lines = 0;
  float* y = nullptr;
  const float* z = nullptr;       // added where the bias is, so that it may lie where y does
  int64_t y_block = 0;            // floats between blocks of y and z
  const float* bias = nullptr;    // null: the sums are added to y
  const float* factor = nullptr;  // of halves: the sums times factor, by channel, are what is added
  bool finishes = false;          // the end comes behind the sums
  TileEnd end;
};
using ConvTile = void (*)(const ConvTileArgs&);

inline constexpr int kMaxTilePixels = 14;

// Functions for 1 to max pixels, at [pixels - 1].
struct BlockedTiles {
  int panel_blocks;                                                              // of output channels
  int max_pixels;                                                                // of a tile
  int max_wide_pixels;                                                           // of a tile of two panels
  ConvTile panel[kMaxTilePixels], wide[kMaxTilePixels], narrow[kMaxTilePixels];  // narrow: one block, in a panel of one
  ConvTile plain[kMaxTilePixels], plain_narrow[kMaxTilePixels];                  // x is not blocked: depth 1
  // The same for weights of float16; null where they are not converted fast enough.
  ConvTile half_panel[kMaxTilePixels], half_wide[kMaxTilePixels], half_narrow[kMaxTilePixels], half_full_narrow;
  // For so many pixels alone; of plain x, for steps of 1 and 2.
  int full_pixels, full_narrow_pixels;
  ConvTile plain_full[2], plain_full_narrow[2], full_narrow, listed_full_narrow;
  ConvTile listed[kMaxTilePixels], listed_narrow[kMaxTilePixels];
  ConvTile shared[kMaxTilePixels], shared_narrow[kMaxTilePixels];  // null where a panel is one block
  // to[i] = from[i * step] for blocks, or floats
  void (*copy_blocks)(const float* from, int64_t step, int64_t count, float* to);
  void (*copy_floats)(const float* from, int64_t step, int64_t count, float* to);
  // rows[(j % taps) * depth + j / taps][16] from filters[16][j], j < depth * taps, for `filters` filters; 0 beyond.
  // With taps = 1, rows are as the filters have them.
  void (*pack_filters)(const float* w, int64_t filter_step, int64_t filters, int64_t depth, int64_t taps, float* rows,
                       int64_t width);
  void (*pack_halves)(const uint16_t* w, int64_t filter_step, int64_t filters, int64_t depth, int64_t taps,
                      uint16_t* rows, int64_t width);
};

const BlockedTiles& blocked_tiles();  // at the SIMD level in force

}  // namespace sdx::ops
