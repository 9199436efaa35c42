// BiasGelu of com.microsoft for float32.
#include "ops/activation/gelu.h"

namespace sdx::ops {

SDX_CPU_KERNELS(bias_gelu, {.name = "bias_gelu", .can_run = takes_f32_with_bias, .run = [](KernelContext& ctx) {
                              return run_gelu_with_bias(ctx, gelu_f32());
                            }});

}  // namespace sdx::ops
