// Expand of elements of whole bytes.
#include "ops/shape/expand.h"

namespace sdx::ops {

SDX_CPU_KERNELS(expand, {.name = "expand_bytes", .can_run = takes_whole_bytes, .run = [](KernelContext& ctx) {
                           return copy_view(ctx, 0, ctx.input(0),
                                            broadcast_view(ctx.input(0).shape(), ctx.output_shape(0)));
                         }});

}  // namespace sdx::ops
