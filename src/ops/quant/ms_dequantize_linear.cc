// com.microsoft DequantizeLinear: as the standard's, before blocks and other attributes.
#include "ops/quant/quantize_rules.h"

namespace sdx::ops {

SDX_OP(ms_dequantize_linear) = {
    .name = "DequantizeLinear",
    .domain = "com.microsoft",
    .infer = infer_dequantize,
    .reference = dequantize_reference,
};

}  // namespace sdx::ops
