// ArgMin for floats and integers.
#include "ops/reduce/arg_reduction.h"

namespace sdx::ops {

SDX_CPU_KERNELS(arg_min, {.name = "arg_min",
                          .can_run = can_run_arg_reduction,
                          .run = [](KernelContext& ctx) { return run_arg_reduction(ctx, ArgKind::min); },
                          .scratch_bytes = arg_reduction_scratch});

}  // namespace sdx::ops
