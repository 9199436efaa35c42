// IsInf for floats of 16, 32 and 64 bits.
#include "ops/native_loops.h"

namespace sdx::ops {

SDX_CPU_KERNELS(is_inf, {.name = "is_inf", .can_run = takes_wide_floats, .run = [](KernelContext& ctx) {
                           return run_native_test(
                               ctx, native_is_infinite(ctx.input(0).dtype(), ctx.attr_int("detect_negative", 1) != 0,
                                                       ctx.attr_int("detect_positive", 1) != 0));
                         }});

}  // namespace sdx::ops
