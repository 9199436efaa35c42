// QuickGelu is Swish with another alpha.
#include "ops/elementwise_maps.h"

namespace sdx::ops {

SDX_CPU_KERNELS(quick_gelu, {.name = "quick_gelu", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                               return run_unary(ctx, swish_f32(), {ctx.attr_float("alpha", 1.702f)});
                             }});

}  // namespace sdx::ops
