// ShuffleChannels for elements of 2 and 4 bytes.
#include <algorithm>

#include "ops/layout/shuffle_channels.h"
#include "ops/layout/turn_blocks.h"

namespace sdx::ops {
namespace {

Status run_shuffle(KernelContext& ctx) {
  const ShuffledPlanes planes(ctx);
  if (planes.count() == 0) return {};
  const auto bytes = static_cast<int64_t>(planes.plane_bytes());
  return parallel_ranges(ctx, planes.count(), std::max<int64_t>(1, 65536 / std::max<int64_t>(1, bytes)),
                         [&](int64_t begin, int64_t end) {
                           for (int64_t plane = begin; plane < end; ++plane) planes.copy(plane);
                         });
}

}  // namespace

SDX_CPU_KERNELS(shuffle_channels, {.name = "shuffle_channels", .can_run = can_turn_blocks, .run = run_shuffle});

}  // namespace sdx::ops
