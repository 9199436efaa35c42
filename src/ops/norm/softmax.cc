// Softmax: y = e^(x - max) / sum(e^(x - max)) along an axis. A line whose largest element is infinite, or that holds
// NaN, becomes NaN.
#include <cmath>

#include "ops/norm/softmax_family.h"

namespace sdx::ops {
namespace {

void softmax_line(std::span<double> x) {
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const double v : x) top = std::isnan(v) || std::isnan(top) ? top + v : std::max(top, v);
  for (double& v : x) sum += v = std::exp(v - top);
  for (double& v : x) v /= sum;
}

}  // namespace

SDX_OP(softmax) = {
    .name = "Softmax",
    .since = 13,
    .infer = infer_softmax,
    .reference = [](KernelContext& ctx) { return reference_softmax(ctx, softmax_line); },
    .upgrades = {{11, flatten_at_axis}},
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
