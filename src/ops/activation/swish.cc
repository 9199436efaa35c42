// Swish: y = x / (1 + e^(-alpha x)).
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status swish_reference(KernelContext& ctx) {
  const double alpha = ctx.attr_float("alpha", 1.0f);
  return reference_map(ctx, [=](double x) { return x / (1 + std::exp(-alpha * x)); });
}

}  // namespace

SDX_OP(swish) = {
    .name = "Swish",
    .since = 24,
    .infer = infer_same_as_first,
    .reference = swish_reference,
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(4e-6),
};

}  // namespace sdx::ops
