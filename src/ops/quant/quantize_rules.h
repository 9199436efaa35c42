// Shape rules and references of QuantizeLinear and DequantizeLinear, which com.microsoft has too.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

Result<Facts> infer_quantize(InferContext& ctx);
Status quantize_reference(KernelContext& ctx);
Result<Facts> infer_dequantize(InferContext& ctx);
Status dequantize_reference(KernelContext& ctx);

}  // namespace sdx::ops
