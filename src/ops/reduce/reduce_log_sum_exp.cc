// ReduceLogSumExp: log of the sum of e^x over the axes; minus infinity over nothing.
// The largest element is taken out first, so that nothing overflows: max + log(sum(e^(x - max))).
#include <cmath>

#include "ops/reduce/reduction.h"

namespace sdx::ops {
namespace {

double reduce_log_sum_exp_floating(std::span<const double> x) {
  double top = -std::numeric_limits<double>::infinity();
  for (const double v : x) {
    if (std::isnan(v)) return v;
    top = std::max(top, v);
  }
  if (std::isinf(top)) return top;
  double sum = 0;
  for (const double v : x) sum += std::exp(v - top);
  return top + std::log(sum);
}

Status reduce_log_sum_exp_reference(KernelContext& ctx) {
  return reference_reduction(ctx, {.floating = reduce_log_sum_exp_floating});
}

}  // namespace

SDX_OP(reduce_log_sum_exp) = {
    .name = "ReduceLogSumExp",
    .since = 28,
    .infer = infer_reduction,
    .reference = reduce_log_sum_exp_reference,
    .upgrades = {{13, axes_to_input}},
    .records_constraints = true,
    .needs_values = input_bit(1),
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
