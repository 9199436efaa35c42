// UnblockChannels for elements of 2 and 4 bytes.
#include "ops/layout/turn_blocks.h"

namespace sdx::ops {

SDX_CPU_KERNELS(unblock_channels, {.name = "unblock_channels", .can_run = can_turn_blocks, .run = unblock_tensor});

}  // namespace sdx::ops
