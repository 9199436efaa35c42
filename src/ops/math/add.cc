// Add: y = a + b with broadcasting. Integers wrap.
#include "ops/math/arithmetic.h"
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_add(InferContext& ctx) {
  return infer_shape_arithmetic(ctx, [&](const Dim& a, const Dim& b) { return ctx.symbols().add(a, b); });
}

Status add_reference(KernelContext& ctx) {
  return reference_binary(ctx, {.f = [](double a, double b) { return a + b; },
                                .g = [](int64_t a, int64_t b) { return WrappingAdd()(a, b); }});
}

}  // namespace

SDX_OP(add) = {
    .name = "Add",
    .since = 14,
    .infer = infer_add,
    .reference = add_reference,
    .upgrades = {{1, upgrade_axis_broadcast}, {6, upgrade_axis_broadcast}},
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
