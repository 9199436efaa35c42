// Elu: y = x for x >= 0, else alpha (e^x - 1).
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status elu_reference(KernelContext& ctx) {
  const double alpha = ctx.attr_float("alpha", 1.0f);
  return reference_map(ctx, [=](double x) { return x < 0 ? alpha * std::expm1(x) : x; });
}

}  // namespace

SDX_OP(elu) = {
    .name = "Elu",
    .since = 22,
    .infer = infer_same_as_first,
    .reference = elu_reference,
    .upgrades = {{1, drop_consumed_inputs}},
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
