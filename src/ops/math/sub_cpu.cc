// Sub for float32, for 16-bit floats through it, for integers and float64.
#include "ops/math/arithmetic.h"
#include "ops/native_loops.h"

namespace sdx::ops {

SDX_CPU_KERNELS(sub,
                {.name = "sub",
                 .can_run = takes_floats,
                 .run = [](KernelContext& ctx) { return run_float_binary(ctx, subtract_f32()); }},
                {.name = "sub_native", .can_run = takes_native_numbers, .run = run_native<Native::subtract>});

}  // namespace sdx::ops
