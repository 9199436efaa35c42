// Celu: y = max(0, x) + min(0, alpha (e^(x / alpha) - 1)).
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status celu_reference(KernelContext& ctx) {
  const double alpha = ctx.attr_float("alpha", 1.0f);
  return reference_map(ctx, [=](double x) { return x < 0 ? alpha * std::expm1(x / alpha) : x; });
}

}  // namespace

SDX_OP(celu) = {
    .name = "Celu",
    .since = 28,
    .infer = infer_same_as_first,
    .reference = celu_reference,
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
