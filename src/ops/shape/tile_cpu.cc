// Tile of elements of whole bytes.
#include "ops/reference.h"
#include "ops/shape/tile.h"

namespace sdx::ops {

SDX_CPU_KERNELS(tile, {.name = "tile_bytes", .can_run = takes_whole_bytes, .run = [](KernelContext& ctx) {
                         return copy_view(ctx, 0, ctx.input(0),
                                          tiled_view(ctx.input(0).shape(), read_ints(ctx.input(1))));
                       }});

}  // namespace sdx::ops
