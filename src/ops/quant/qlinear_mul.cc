// QLinearMul: y = saturate(round((a - a_zero) * (b - b_zero) * (a_scale * b_scale / y_scale) + y_zero)), ties to even,
// in float32, with broadcasting (as onnxruntime 1.32 answers).
#include "ops/quant/qlinear.h"

namespace sdx::ops {
namespace {

QlinearPair product_of(const QlinearScales& scales) {
  const float ratio = scales.a.scale * scales.b.scale / scales.y.scale;
  const auto a_zero = static_cast<float>(scales.a.zero), b_zero = static_cast<float>(scales.b.zero),
             y_zero = static_cast<float>(scales.y.zero);
  return [=](float a, float b) {
    const float product = (a - a_zero) * (b - b_zero) * ratio;
    return product + y_zero;
  };
}

Status qlinear_mul_reference(KernelContext& ctx) { return qlinear_binary_reference(ctx, product_of); }

}  // namespace

SDX_OP(qlinear_mul) = {
    .name = "QLinearMul",
    .domain = "com.microsoft",
    .infer = infer_qlinear_binary,
    .reference = qlinear_mul_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
