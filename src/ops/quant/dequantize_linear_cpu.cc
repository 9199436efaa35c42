#include "ops/quant/quantize_run.h"

namespace sdx::ops {

SDX_CPU_KERNELS(dequantize_linear,
                {.name = "dequantize_linear_8", .can_run = can_dequantize_8, .run = run_dequantize_8});

}  // namespace sdx::ops
