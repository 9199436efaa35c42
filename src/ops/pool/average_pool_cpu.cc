// AveragePool for float32 over one or two spatial axes, and over blocked channels.
#include "ops/pool/lane_pool.h"
#include "ops/pool/pooling_f32.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

// Counts of elements along each axis; a window's is their product.
std::vector<float> counts_along(const Windows& w, size_t axis, PoolCount what) {
  std::vector<float> counts(static_cast<size_t>(w.out[axis]));
  for (size_t i = 0; i < counts.size(); ++i)
    counts[i] = static_cast<float>(pool_count(w, axis, static_cast<int64_t>(i), what));
  return counts;
}

Status run_average_pool_f32(KernelContext& ctx) {
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  const auto what = ctx.attr_int("count_include_pad", 0) != 0 ? PoolCount::padded : PoolCount::input;
  const size_t axes = sizes.windows.axes();
  const std::vector<float> across = counts_along(sizes.windows, axes - 1, what);
  const std::vector<float> down = axes == 2 ? counts_along(sizes.windows, 0, what) : std::vector<float>{1};
  const WindowKernels& kernels = window_kernels();
  return run_pool_f32(ctx, 0, [&](const WindowRow& row, int64_t at, int64_t column) {
    kernels.sum(row, across.data() + column, down[static_cast<size_t>(at)]);
  });
}

}  // namespace

SDX_CPU_KERNELS(average_pool,
                {.name = "average_pool_lanes_f32", .can_run = can_run_lane_pool, .run = run_lane_average_pool},
                {.name = "average_pool_f32", .can_run = can_run_pool_f32, .run = run_average_pool_f32},
                {.name = "average_pool_half",
                 .can_run = can_run_pool_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_average_pool_f32); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
