// ReduceL2: the square root of the sum of squares over the axes; 0 over nothing. Integers are cut toward zero.
#include <cmath>

#include "ops/reduce/reduction.h"

namespace sdx::ops {
namespace {

double reduce_l2_floating(std::span<const double> x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}

Status reduce_l2_reference(KernelContext& ctx) { return reference_reduction(ctx, {.floating = reduce_l2_floating}); }

}  // namespace

SDX_OP(reduce_l2) = {
    .name = "ReduceL2",
    .since = 18,
    .infer = infer_reduction,
    .reference = reduce_l2_reference,
    .upgrades = {{13, axes_to_input}},
    .records_constraints = true,
    .needs_values = input_bit(1),
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
