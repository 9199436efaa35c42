#include "ops/quant/quantize_run.h"

namespace sdx::ops {

SDX_CPU_KERNELS(ms_quantize_linear, {.name = "quantize_linear", .can_run = can_quantize, .run = run_quantize});

}  // namespace sdx::ops
