// Add for float32, for 16-bit floats through it, for integers and float64.
#include "ops/math/arithmetic.h"
#include "ops/native_loops.h"

namespace sdx::ops {

SDX_CPU_KERNELS(add,
                {.name = "add",
                 .can_run = takes_floats,
                 .run = [](KernelContext& ctx) { return run_float_binary(ctx, add_f32()); }},
                {.name = "add_native", .can_run = takes_native_numbers, .run = run_native<Native::add>});

}  // namespace sdx::ops
