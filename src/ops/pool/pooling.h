// What the pools share: the rule of their shapes, and walks over the planes [batch * channels, spatial axes...].
#pragma once

#include "base/element.h"
#include "ops/windows.h"

namespace sdx::ops {

// The output's fact: batch and channels as the input's, windows along the spatial axes.
Result<Fact> infer_pool_output(InferContext& ctx);
Result<Facts> infer_pool(InferContext& ctx);
// Every spatial axis becomes 1.
Result<Facts> infer_global_pool(InferContext& ctx);

struct PoolSizes {
  int64_t planes = 0;
  Windows windows = {};
  int64_t in_count() const { return count_of(windows.in); }
  int64_t out_count() const { return count_of(windows.out); }
};
Result<PoolSizes> pool_sizes(KernelContext& ctx);

// How many elements of the `window`-th window along an axis lie in the input, or in the input with its padding.
enum class PoolCount : uint8_t { input, padded };
int64_t pool_count(const Windows& windows, size_t axis, int64_t window, PoolCount what);

// One window that is the whole plane.
bool is_whole_plane(const Windows& windows);
// Of float32, over all spatial axes.
Status run_global_average_pool_f32(KernelContext& ctx);
Status run_global_max_pool_f32(KernelContext& ctx);

// Calls f(plane's first input element, position among the windows, output element) for every output element.
template <typename F>
Status for_each_pool_window(KernelContext& ctx, const PoolSizes& sizes, F f) {
  if (sizes.out_count() == 0) return {};
  int64_t at = 0;
  for (int64_t plane = 0; plane < sizes.planes; ++plane) {
    SDX_TRY(ctx.check_cancelled());
    Shape position(sizes.windows.axes());
    do {
      f(plane * sizes.in_count(), position, at++);
    } while (next_position(position, sizes.windows.out));
  }
  return {};
}

// y[plane] = f(x, first element of the plane, their number) for each plane.
Status reference_global_pool(KernelContext& ctx, FunctionRef<double(const Tensor&, int64_t, int64_t)> f);

}  // namespace sdx::ops
