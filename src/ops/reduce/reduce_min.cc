// ReduceMin: the smallest over the axes; infinity (integers: the end of the type) over nothing. NaN propagates.
#include <cmath>

#include "ops/reduce/reduction.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_reduce_min(InferContext& ctx) {
  return infer_reduction(ctx, {.combine = &SymbolTable::min, .of_nothing = {}});
}

double reduce_min_floating(std::span<const double> x) {
  double best = std::numeric_limits<double>::infinity();
  for (const double v : x) {
    if (std::isnan(v)) return v;
    best = std::min(best, v);
  }
  return best;
}

int64_t reduce_min_integer(std::span<const int64_t> x, DType type) {
  if (x.empty()) return highest_of(type);
  int64_t best = x[0];
  const bool is_unsigned = is_unsigned_integer(type);
  for (const int64_t v : x) {
    const bool better = is_unsigned ? static_cast<uint64_t>(v) < static_cast<uint64_t>(best) : v < best;
    if (better) best = v;
  }
  return best;
}

Status reduce_min_reference(KernelContext& ctx) {
  return reference_reduction(ctx, {.floating = reduce_min_floating, .integer = reduce_min_integer});
}

}  // namespace

SDX_OP(reduce_min) = {
    .name = "ReduceMin",
    .since = 20,
    .infer = infer_reduce_min,
    .reference = reduce_min_reference,
    .upgrades = {{13, axes_to_input}},
    .records_constraints = true,
    .needs_values = input_bit(1),
};

}  // namespace sdx::ops
