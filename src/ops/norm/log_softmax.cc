// LogSoftmax: y = x - max - log(sum(e^(x - max))) along an axis.
#include <cmath>

#include "ops/norm/softmax_family.h"

namespace sdx::ops {
namespace {

void log_softmax_line(std::span<double> x) {
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const double v : x) top = std::isnan(v) || std::isnan(top) ? top + v : std::max(top, v);
  for (const double v : x) sum += std::exp(v - top);
  const double log_sum = std::log(sum);
  for (double& v : x) v = v - top - log_sum;
}

}  // namespace

SDX_OP(log_softmax) = {
    .name = "LogSoftmax",
    .since = 13,
    .infer = infer_softmax,
    .reference = [](KernelContext& ctx) { return reference_softmax(ctx, log_softmax_line); },
    .upgrades = {{11, flatten_at_axis}},
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
