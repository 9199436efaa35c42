// QLinearSigmoid: quantize(1 / (1 + e^-x)) of the dequantized x.
#include <cmath>

#include "ops/quant/qlinear.h"

namespace sdx::ops {
namespace {

Status qlinear_sigmoid_reference(KernelContext& ctx) {
  return qlinear_unary_reference(ctx, [](double x) { return 1 / (1 + std::exp(-x)); });
}

}  // namespace

SDX_OP(qlinear_sigmoid) = {
    .name = "QLinearSigmoid",
    .domain = "com.microsoft",
    .infer = infer_qlinear_unary,
    .reference = qlinear_sigmoid_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
