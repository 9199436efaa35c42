// QLinearAdd: y = saturate(round((a - a_zero) * (a_scale / y_scale) + (b - b_zero) * (b_scale / y_scale)) + y_zero),
// ties to even, in float32, with broadcasting (as onnxruntime 1.32 answers).
#include "ops/quant/qlinear.h"

namespace sdx::ops {
namespace {

QlinearPair sum_of(float a_scale, float b_scale, float y_scale) {
  const float a_ratio = a_scale / y_scale, b_ratio = b_scale / y_scale;
  return [=](int32_t a, int32_t b) { return static_cast<float>(a) * a_ratio + static_cast<float>(b) * b_ratio; };
}

Status qlinear_add_reference(KernelContext& ctx) { return qlinear_binary_reference(ctx, sum_of); }

}  // namespace

SDX_OP(qlinear_add) = {
    .name = "QLinearAdd",
    .domain = "com.microsoft",
    .infer = infer_qlinear_binary,
    .reference = qlinear_add_reference,
};

}  // namespace sdx::ops
