// ReduceProd: the product over the axes; 1 over nothing. Integers wrap.
#include "ops/reduce/reduction.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_reduce_prod(InferContext& ctx) {
  return infer_reduction(ctx, {.combine = &SymbolTable::mul, .of_nothing = 1});
}

double reduce_prod_floating(std::span<const double> x) {
  double product = 1;
  for (const double v : x) product *= v;
  return product;
}

int64_t reduce_prod_integer(std::span<const int64_t> x, DType) {
  uint64_t product = 1;
  for (const int64_t v : x) product *= static_cast<uint64_t>(v);
  return static_cast<int64_t>(product);
}

Status reduce_prod_reference(KernelContext& ctx) {
  return reference_reduction(ctx, {.floating = reduce_prod_floating, .integer = reduce_prod_integer});
}

}  // namespace

SDX_OP(reduce_prod) = {
    .name = "ReduceProd",
    .since = 18,
    .infer = infer_reduce_prod,
    .reference = reduce_prod_reference,
    .upgrades = {{13, axes_to_input}},
    .records_constraints = true,
    .needs_values = input_bit(1),
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
