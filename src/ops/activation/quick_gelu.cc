// QuickGelu of com.microsoft: y = x / (1 + e^(-alpha x)).
#include <cmath>

#include "ops/activation/gelu.h"
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status quick_gelu_reference(KernelContext& ctx) {
  const double alpha = ctx.attr_float("alpha", 1.702f);
  return reference_map(ctx, [=](double x) { return x / (1 + std::exp(-alpha * x)); });
}

}  // namespace

SDX_OP(quick_gelu) = {
    .name = "QuickGelu",
    .domain = "com.microsoft",
    .since = 1,
    .infer = infer_gelu_with_bias,
    .reference = quick_gelu_reference,
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(4e-6),
};

}  // namespace sdx::ops
