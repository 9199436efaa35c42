// ReduceL1: the sum of absolute values over the axes; 0 over nothing. Integers wrap.
#include <cmath>

#include "ops/reduce/reduction.h"

namespace sdx::ops {
namespace {

double reduce_l1_floating(std::span<const double> x) {
  double sum = 0;
  for (const double v : x) sum += std::fabs(v);
  return sum;
}

int64_t reduce_l1_integer(std::span<const int64_t> x, DType type) {
  uint64_t sum = 0;
  for (const int64_t v : x) {
    const auto bits = static_cast<uint64_t>(v);
    sum += v < 0 && !is_unsigned_integer(type) ? 0 - bits : bits;
  }
  return static_cast<int64_t>(sum);
}

Status reduce_l1_reference(KernelContext& ctx) {
  return reference_reduction(ctx, {.floating = reduce_l1_floating, .integer = reduce_l1_integer});
}

}  // namespace

SDX_OP(reduce_l1) = {
    .name = "ReduceL1",
    .since = 18,
    .infer = infer_reduction,
    .reference = reduce_l1_reference,
    .upgrades = {{13, axes_to_input}},
    .records_constraints = true,
    .needs_values = input_bit(1),
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
