// BlockChannels for elements of 2 and 4 bytes.
#include "ops/layout/turn_blocks.h"

namespace sdx::ops {

SDX_CPU_KERNELS(block_channels, {.name = "block_channels", .can_run = can_turn_blocks, .run = block_tensor});

}  // namespace sdx::ops
