// HardSigmoid: y = max(0, min(1, alpha x + beta)).
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status hard_sigmoid_reference(KernelContext& ctx) {
  const double alpha = ctx.attr_float("alpha", 0.2f);
  const double beta = ctx.attr_float("beta", 0.5f);
  return reference_map(ctx,
                       [=](double x) { return std::isnan(x) ? x : std::max(0.0, std::min(1.0, alpha * x + beta)); });
}

}  // namespace

SDX_OP(hard_sigmoid) = {
    .name = "HardSigmoid",
    .since = 22,
    .infer = infer_same_as_first,
    .reference = hard_sigmoid_reference,
    .upgrades = {{1, drop_consumed_inputs}},
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
