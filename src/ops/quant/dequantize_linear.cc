// DequantizeLinear: y = (x - zero_point) * scale, rounded once to the output's type.
#include "ops/quant/quantize_rules.h"

namespace sdx::ops {

SDX_OP(dequantize_linear) = {
    .name = "DequantizeLinear",
    .since = 28,
    .infer = infer_dequantize,
    .reference = dequantize_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
