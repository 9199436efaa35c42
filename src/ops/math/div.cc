// Div: y = a / b with broadcasting. Integers truncate toward zero and wrap; an integer division by zero is an error.
#include "ops/math/arithmetic.h"
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_div(InferContext& ctx) {
  return infer_shape_arithmetic(ctx, [&](const Dim& a, const Dim& b) {
    if (a.is_known() && b.is_known() && b.known() != 0) return Dim(TruncatingDivide()(a.known(), b.known()));
    if (ctx.symbols().is_non_negative(a) && ctx.symbols().is_non_negative(b)) return ctx.symbols().floor_div(a, b);
    return ctx.symbols().fresh_value();
  });
}

Status div_reference(KernelContext& ctx) {
  SDX_TRY(check_divisor(ctx.input(1), ctx.output(0).count()));
  return reference_binary(ctx, {.f = [](double a, double b) { return a / b; },
                                .g = [](int64_t a, int64_t b) { return TruncatingDivide()(a, b); },
                                .h = [](uint64_t a, uint64_t b) { return a / b; }});
}

}  // namespace

SDX_OP(div) = {
    .name = "Div",
    .since = 14,
    .infer = infer_div,
    .reference = div_reference,
    .upgrades = {{1, upgrade_axis_broadcast}, {6, upgrade_axis_broadcast}},
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
