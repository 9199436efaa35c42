// Runs a row kernel over a tensor by its granularity: QuantizeLinear and DequantizeLinear of both domains.
#pragma once

#include "ops/elementwise.h"
#include "ops/quant/quantize_kernels.h"

namespace sdx::ops {

// Verdicts for float32 -> 8 bits and back with float32 scales.
Verdict can_quantize_8(const NodeFacts& facts);
Verdict can_dequantize_8(const NodeFacts& facts);
Status run_quantize_8(KernelContext& ctx);
Status run_dequantize_8(KernelContext& ctx);

}  // namespace sdx::ops
