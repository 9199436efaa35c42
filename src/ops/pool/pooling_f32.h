// Float32 pools over one or two spatial axes, by tiles.
#pragma once

#include "ops/pool/pooling.h"
#include "ops/window_tiles.h"

namespace sdx::ops {

Verdict can_run_pool_f32(const NodeFacts& facts);   // windows that fit a tile
Verdict can_run_pool_half(const NodeFacts& facts);  // the same of 16-bit floats, for run_through_f32
// Calls f(row of windows, output row, first output column) for every row of every tile.
Status run_pool_f32(KernelContext& ctx, float padding, FunctionRef<void(const WindowRow&, int64_t, int64_t)> f);

}  // namespace sdx::ops
