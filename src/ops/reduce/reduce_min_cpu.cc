// ReduceMin for float32.
#include "ops/elementwise.h"
#include "ops/reduce/reduction.h"

namespace sdx::ops {

SDX_CPU_KERNELS(reduce_min, {.name = "reduce_min_f32",
                             .can_run = takes<DType::f32>,
                             .run = [](KernelContext& ctx) { return run_reduction_f32(ctx, Reduction::min); },
                             .scratch_bytes = reduction_scratch});

}  // namespace sdx::ops
