// Hardmax: 1 at the first largest element along an axis, 0 elsewhere. NaN counts as the largest.
#include <cmath>

#include "ops/norm/softmax_family.h"

namespace sdx::ops {
namespace {

void hardmax_line(std::span<double> x) {
  size_t best = 0;
  for (size_t i = 1; i < x.size(); ++i)
    if (!std::isnan(x[best]) && (std::isnan(x[i]) || x[i] > x[best])) best = i;
  for (double& v : x) v = 0;
  x[best] = 1;
}

}  // namespace

SDX_OP(hardmax) = {
    .name = "Hardmax",
    .since = 13,
    .infer = infer_softmax,
    .reference = [](KernelContext& ctx) { return reference_softmax(ctx, hardmax_line); },
    .upgrades = {{11, flatten_at_axis}},
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
