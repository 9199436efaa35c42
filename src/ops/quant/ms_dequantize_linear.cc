// com.microsoft DequantizeLinear: as the standard's, before blocks and other attributes.
#include "ops/input_rules.h"
#include "ops/quant/quantize_rules.h"

namespace sdx::ops {
namespace {

constexpr DTypeSet kCodes = set_of(DType::u8, DType::i8, DType::u16, DType::i16, DType::i32, DType::u4, DType::i4);

Result<Facts> infer_ms_dequantize(InferContext& ctx) {
  constexpr InputRule kRules[] = {{0, kCodes}, {1, set_of(DType::f32, DType::f16)}, {2, kCodes, kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  return infer_dequantize(ctx);
}

}  // namespace

SDX_OP(ms_dequantize_linear) = {
    .name = "DequantizeLinear",
    .domain = "com.microsoft",
    .infer = infer_ms_dequantize,
    .reference = dequantize_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
