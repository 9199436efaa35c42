// Max: the largest of all operands, with broadcasting. NaN where one is NaN.
#include <cmath>

#include "ops/infer_elements.h"
#include "ops/math/variadic.h"
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_max(InferContext& ctx) {
  SDX_TRY(infer_variadic(ctx).status());
  return infer_elements(ctx, ctx.dtype(0), [&](std::span<const Dim> operands) {
    Dim folded = operands[0];
    for (const Dim& operand : operands.subspan(1)) folded = ctx.symbols().max(folded, operand);
    return folded;
  });
}

Status max_reference(KernelContext& ctx) {
  return reference_variadic(ctx, {.f = [](double a, double b) { return std::isnan(a) || a > b ? a : b; },
                                  .g = [](int64_t a, int64_t b) { return a > b ? a : b; },
                                  .h = [](uint64_t a, uint64_t b) { return a > b ? a : b; }});
}

}  // namespace

SDX_OP(max) = {
    .name = "Max",
    .since = 13,
    .infer = infer_max,
    .reference = max_reference,
    .upgrades = {{1, drop_consumed_inputs}},
    .records_constraints = true,
};

}  // namespace sdx::ops
