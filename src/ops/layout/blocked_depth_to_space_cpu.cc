// BlockedDepthToSpace for elements of 2 and 4 bytes.
#include <algorithm>

#include "ops/layout/blocked_depth_to_space.h"
#include "ops/layout/turn_blocks.h"

namespace sdx::ops {
namespace {

Status run_depth_to_space(KernelContext& ctx) {
  const DepthRows rows(ctx);
  if (rows.count() == 0) return {};
  return parallel_ranges(ctx, rows.count(), std::max<int64_t>(1, 65536 / std::max<int64_t>(1, rows.row_bytes())),
                         [&](int64_t begin, int64_t end) {
                           for (int64_t row = begin; row < end; ++row) rows.copy(row);
                         });
}

}  // namespace

SDX_CPU_KERNELS(blocked_depth_to_space,
                {.name = "blocked_depth_to_space", .can_run = can_turn_blocks, .run = run_depth_to_space});

}  // namespace sdx::ops
