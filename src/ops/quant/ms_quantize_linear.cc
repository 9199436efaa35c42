// com.microsoft QuantizeLinear: as the standard's, before blocks and other attributes.
#include "ops/quant/quantize_rules.h"

namespace sdx::ops {

SDX_OP(ms_quantize_linear) = {
    .name = "QuantizeLinear",
    .domain = "com.microsoft",
    .infer = infer_quantize,
    .reference = quantize_reference,
};

}  // namespace sdx::ops
