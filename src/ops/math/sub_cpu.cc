// Sub for float32, for 16-bit floats through it, and for int32 and int64.
#include "ops/math/arithmetic.h"

namespace sdx::ops {

SDX_CPU_KERNELS(sub,
                {.name = "sub",
                 .can_run = takes_floats,
                 .run = [](KernelContext& ctx) { return run_float_binary(ctx, subtract_f32()); }},
                {.name = "sub_int", .can_run = takes_i32_i64, .run = run_integer_binary<WrappingSubtract>});

}  // namespace sdx::ops
