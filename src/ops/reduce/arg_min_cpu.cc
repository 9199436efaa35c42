// ArgMin for float32.
#include "ops/elementwise.h"
#include "ops/reduce/arg_reduction.h"

namespace sdx::ops {

SDX_CPU_KERNELS(arg_min, {.name = "arg_min_f32", .can_run = takes<DType::f32>, .run = [](KernelContext& ctx) {
                            return run_arg_reduction_f32(ctx, ArgKind::min);
                          }});

}  // namespace sdx::ops
