#include "ops/quant/quantize_run.h"

namespace sdx::ops {

SDX_CPU_KERNELS(quantize_linear, {.name = "quantize_linear_8", .can_run = can_quantize_8, .run = run_quantize_8});

}  // namespace sdx::ops
