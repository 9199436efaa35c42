// QuantizeLinear and DequantizeLinear of both domains by row kernels, for any granularity.
#pragma once

#include "ops/elementwise.h"
#include "ops/quant/quantize_kernels.h"

namespace sdx::ops {

// Verdicts for floats of 16 and 32 bits to integers of 4, 8 and 16 bits, and back (from int32 too).
Verdict can_quantize(const NodeFacts& facts);
Verdict can_dequantize(const NodeFacts& facts);
Status run_quantize(KernelContext& ctx);
Status run_dequantize(KernelContext& ctx);

}  // namespace sdx::ops
