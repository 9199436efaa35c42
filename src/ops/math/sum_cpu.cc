// Sum for float32, for 16-bit floats through it, and for float64.
#include "ops/math/arithmetic.h"
#include "ops/math/variadic.h"

namespace sdx::ops {

SDX_CPU_KERNELS(sum,
                {.name = "sum",
                 .can_run = takes_floats,
                 .run = [](KernelContext& ctx) { return run_variadic(ctx, add_f32()); }},
                {.name = "sum_f64", .can_run = takes<DType::f64>, .run = [](KernelContext& ctx) {
                   return run_variadic_native(ctx, Native::add);
                 }});

}  // namespace sdx::ops
