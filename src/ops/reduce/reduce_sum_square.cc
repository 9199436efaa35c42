// ReduceSumSquare: the sum of squares over the axes; 0 over nothing. Integers wrap.
#include "ops/reduce/reduction.h"

namespace sdx::ops {
namespace {

double reduce_sum_square_floating(std::span<const double> x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return sum;
}

int64_t reduce_sum_square_integer(std::span<const int64_t> x, DType) {
  uint64_t sum = 0;
  for (const int64_t v : x) sum += static_cast<uint64_t>(v) * static_cast<uint64_t>(v);
  return static_cast<int64_t>(sum);
}

Status reduce_sum_square_reference(KernelContext& ctx) {
  return reference_reduction(ctx, {.floating = reduce_sum_square_floating, .integer = reduce_sum_square_integer});
}

}  // namespace

SDX_OP(reduce_sum_square) = {
    .name = "ReduceSumSquare",
    .since = 18,
    .infer = infer_reduction,
    .reference = reduce_sum_square_reference,
    .upgrades = {{13, axes_to_input}},
    .records_constraints = true,
    .needs_values = input_bit(1),
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
