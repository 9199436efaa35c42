// ReduceLogSum: log of the sum over the axes; minus infinity over nothing. Integers (allowed below opset 28) are cut.
#include <cmath>

#include "ops/reduce/reduction.h"

namespace sdx::ops {
namespace {

double reduce_log_sum_floating(std::span<const double> x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return std::log(sum);
}

Status reduce_log_sum_reference(KernelContext& ctx) {
  return reference_reduction(ctx, {.floating = reduce_log_sum_floating});
}

}  // namespace

SDX_OP(reduce_log_sum) = {
    .name = "ReduceLogSum",
    .since = 28,
    .infer = infer_reduction,
    .reference = reduce_log_sum_reference,
    .upgrades = {{13, axes_to_input}},
    .records_constraints = true,
    .needs_values = input_bit(1),
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
