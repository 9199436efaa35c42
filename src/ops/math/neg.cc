// Neg: y = -x. Integers wrap.
#include <cmath>

#include "ops/infer_elements.h"
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status neg_reference(KernelContext& ctx) {
  return reference_unary(
      ctx, [](double x) { return -x; }, [](int64_t x) { return static_cast<int64_t>(-static_cast<uint64_t>(x)); });
}

Result<Facts> infer_neg(InferContext& ctx) {
  return infer_elements(ctx, ctx.dtype(0), [&](std::span<const Dim> x) { return ctx.symbols().mul(x[0], Dim(-1)); });
}

}  // namespace

SDX_OP(neg) = {
    .name = "Neg",
    .since = 13,
    .infer = infer_neg,
    .reference = neg_reference,
    .upgrades = {{1, drop_consumed_inputs}},
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
