// QLinearLeakyRelu: quantize(x >= 0 ? x : alpha * x) of the dequantized x.
#include "ops/quant/qlinear.h"

namespace sdx::ops {
namespace {

Status qlinear_leaky_relu_reference(KernelContext& ctx) {
  const double alpha = ctx.attr_float("alpha", 0.01f);
  return qlinear_unary_reference(ctx, [alpha](double x) { return x >= 0 ? x : alpha * x; });
}

}  // namespace

SDX_OP(qlinear_leaky_relu) = {
    .name = "QLinearLeakyRelu",
    .domain = "com.microsoft",
    .infer = infer_qlinear_unary,
    .reference = qlinear_leaky_relu_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
