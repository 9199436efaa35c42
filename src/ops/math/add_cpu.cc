// Add for float32, for 16-bit floats through it, and for int32 and int64.
#include "ops/math/arithmetic.h"

namespace sdx::ops {

SDX_CPU_KERNELS(add,
                {.name = "add",
                 .can_run = takes_floats,
                 .run = [](KernelContext& ctx) { return run_float_binary(ctx, add_f32()); }},
                {.name = "add_int", .can_run = takes_i32_i64, .run = run_integer_binary<WrappingAdd>});

}  // namespace sdx::ops
