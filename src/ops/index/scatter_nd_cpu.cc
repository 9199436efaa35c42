// ScatterND: columns of long slices do not touch each other, so they may run in parallel; updates of one element stay
// in order.
#include "ops/copy_bytes.h"
#include "ops/index/indices.h"
#include "ops/index/merges.h"

namespace sdx::ops {
namespace {

constexpr int64_t kStripBytes = 4096;            // of a slice
constexpr int64_t kFewBytes = int64_t{1} << 17;  // of updates that one thread writes at once

Status run_scatter_nd(KernelContext& ctx) {
  const Tensor &data = ctx.input(0), &indices = ctx.input(1), &updates = ctx.input(2);
  Tensor& y = ctx.output(0);
  SDX_ASSIGN(const Merges merges, merges_of(ctx));
  SDX_ASSIGN(const std::vector<int64_t> slices, checked_tuples(indices, indices.shape().back(), data.shape()));
  SDX_TRY(copy_bytes(ctx, data, y));
  if (updates.count() == 0) return {};
  const auto count = static_cast<int64_t>(slices.size()), size = updates.count() / count, width = merges.width;
  if (size == 1) {
    merges.places(y.raw(), updates.raw(), slices.data(), count);
    return {};
  }
  const int64_t strip = updates.count() * width <= kFewBytes ? size : std::min(size, kStripBytes / width);
  return parallel_ranges(ctx, size, strip, [&](int64_t first, int64_t last) {
    const std::byte* from = updates.bytes() + first * width;
    std::byte* to = y.bytes() + first * width;
    for (const int64_t slice : slices) {
      merges.row(to + slice * size * width, from, last - first);
      from += size * width;
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(scatter_nd, {.name = "scatter_nd_numbers", .can_run = takes_merges, .run = run_scatter_nd});

}  // namespace sdx::ops
