// IsNaN for floats of 16, 32 and 64 bits.
#include "ops/native_loops.h"

namespace sdx::ops {

SDX_CPU_KERNELS(is_nan, {.name = "is_nan", .can_run = takes_wide_floats, .run = [](KernelContext& ctx) {
                           return run_native_test(ctx, native_is_nan(ctx.input(0).dtype()));
                         }});

}  // namespace sdx::ops
