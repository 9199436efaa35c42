// QLinearMul: y = saturate(round((a - a_zero) * (b - b_zero) * (a_scale * b_scale / y_scale)) + y_zero), ties to even,
// in float32, with broadcasting (as onnxruntime 1.32 answers).
#include "ops/quant/qlinear.h"

namespace sdx::ops {
namespace {

QlinearPair product_of(float a_scale, float b_scale, float y_scale) {
  const float ratio = a_scale * b_scale / y_scale;
  return [=](int32_t a, int32_t b) { return static_cast<float>(a * b) * ratio; };
}

Status qlinear_mul_reference(KernelContext& ctx) { return qlinear_binary_reference(ctx, product_of); }

}  // namespace

SDX_OP(qlinear_mul) = {
    .name = "QLinearMul",
    .domain = "com.microsoft",
    .infer = infer_qlinear_binary,
    .reference = qlinear_mul_reference,
};

}  // namespace sdx::ops
