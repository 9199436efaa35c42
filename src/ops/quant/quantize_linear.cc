// QuantizeLinear: y = saturate(round(x / scale) + zero_point), ties to even; one scale, one an index of an axis, or one
// a block. The division has the precision of the scale's type, or of attribute precision. NaN becomes the lowest
// integer.
#include "ops/quant/quantize_rules.h"

namespace sdx::ops {

SDX_OP(quantize_linear) = {
    .name = "QuantizeLinear",
    .since = 28,
    .infer = infer_quantize,
    .reference = quantize_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
