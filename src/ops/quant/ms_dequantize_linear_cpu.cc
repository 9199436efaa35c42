#include "ops/quant/quantize_run.h"

namespace sdx::ops {

SDX_CPU_KERNELS(ms_dequantize_linear, {.name = "dequantize_linear", .can_run = can_dequantize, .run = run_dequantize});

}  // namespace sdx::ops
