// Min for float32, for 16-bit floats through it, for integers and float64.
#include "ops/math/arithmetic.h"
#include "ops/math/variadic.h"

namespace sdx::ops {

SDX_CPU_KERNELS(min,
                {.name = "min",
                 .can_run = takes_floats,
                 .run = [](KernelContext& ctx) { return run_variadic(ctx, minimum_f32()); }},
                {.name = "min_native", .can_run = takes_native_numbers, .run = [](KernelContext& ctx) {
                   return run_variadic_native(ctx, Native::minimum);
                 }});

}  // namespace sdx::ops
