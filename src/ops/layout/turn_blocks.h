// The transposition behind BlockChannels and UnblockChannels: 16 rows of channels to positions of 16 lanes, and back.
#pragma once

#include "ops/layout/blocked.h"

namespace sdx::ops {

// A block of channels: `rows` of them (1 to 16), each `row_step` elements after the one before.
struct BlockRows {
  int64_t rows = 0, row_step = 0, positions = 0;
  int64_t lane_step = kChannelBlock;  // from a position's lanes to the next one's; of to_rows
};

template <typename T>
struct TurnBlocks {
  // to[16 * p + i] = from[i * row_step + p], zero where i >= rows.
  void (*to_lanes)(const T* from, const BlockRows& block, T* to);
  // to[i * row_step + p] = from[lane_step * p + i] for i < rows; reads 16 lanes.
  void (*to_rows)(const T* from, const BlockRows& block, T* to);
};
TurnBlocks<float> turn_blocks_f32();  // at the SIMD level in force
TurnBlocks<uint16_t> turn_blocks_16();

// Blocks (`to_blocked`) or unblocks, whatever of 2 or 4 bytes an element has.
Verdict can_turn_blocks(const NodeFacts& facts);
Status block_tensor(KernelContext& ctx);
Status unblock_tensor(KernelContext& ctx);

}  // namespace sdx::ops
