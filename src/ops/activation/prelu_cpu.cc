// PRelu for float32, and for 16-bit floats through it.
#include "ops/math/arithmetic.h"

namespace sdx::ops {

SDX_CPU_KERNELS(prelu, {.name = "prelu", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                          return run_float_binary(ctx, prelu_f32());
                        }});

}  // namespace sdx::ops
