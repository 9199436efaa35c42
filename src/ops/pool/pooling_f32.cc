#include "ops/pool/pooling_f32.h"

#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

Verdict windows_fit(const NodeFacts& facts) {
  const auto kernel = facts.attr_ints("kernel_shape");
  if (kernel.empty() || kernel.size() > 2) return no("only one or two spatial axes");
  const auto attributes = read_windows(facts.attributes(), kernel.size(), {});
  if (!attributes.ok()) return no(attributes.status().message());
  // Any output of one tile's width stands for all: what fits does not depend on the input's size.
  const Shape wide(kernel.size(), 4096);
  return WindowTiles(resolve_windows(*attributes, wide, wide)).fits() ? yes() : no("windows are too large");
}

}  // namespace

Verdict can_run_pool_f32(const NodeFacts& facts) {
  return facts.dtype(0) == DType::f32 ? windows_fit(facts) : no("only f32");
}

Verdict can_run_pool_half(const NodeFacts& facts) {
  const Verdict verdict = takes_half(facts);
  return verdict.accepted() ? windows_fit(facts) : verdict;
}

Status run_pool_f32(KernelContext& ctx, float padding, FunctionRef<void(const WindowRow&, int64_t, int64_t)> f) {
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  if (ctx.output(0).count() == 0) return {};
  const WindowTiles tiles(sizes.windows);
  SDX_CHECK(tiles.fits(), "a pool's window leaves its tile");
  const float* x = ctx.input(0).data<float>();
  float* y = ctx.output(0).data<float>();
  const int64_t per_plane = tiles.per_plane(), operations = tiles.out_count() * tiles.taps() / per_plane;
  const int64_t grain = std::max<int64_t>(1, 100'000 / std::max<int64_t>(operations, 1));
  return parallel_ranges(ctx, sizes.planes * per_plane, grain, [&](int64_t begin, int64_t end) {
    alignas(64) float copy[WindowTiles::kTileElements + WindowTiles::kSlack];
    for (int64_t i = begin; i < end; ++i) {
      const int64_t plane = i / per_plane;
      const WindowTiles::Tile tile = tiles.tile(i % per_plane);
      tiles.copy(tile, x + plane * tiles.in_count(), padding, copy);
      WindowRow row{.offsets = tiles.offsets(), .taps = tiles.taps(), .count = tile.columns};
      for (int64_t r = 0; r < tile.rows; ++r) {
        row.copy = copy + r * tiles.row_step();
        row.y = y + plane * tiles.out_count() + (tile.row + r) * tiles.out_columns() + tile.column;
        f(row, tile.row + r, tile.column);
      }
    }
  });
}

}  // namespace sdx::ops
