// Abs: y = |x|. The lowest signed integer stays itself.
#include <cmath>

#include "ops/infer_elements.h"
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status abs_reference(KernelContext& ctx) {
  if (is_unsigned_integer(ctx.input(0).dtype())) return reference_unary(ctx, nullptr, [](int64_t x) { return x; });
  return reference_unary(
      ctx, [](double x) { return std::fabs(x); },
      [](int64_t x) { return x < 0 ? static_cast<int64_t>(-static_cast<uint64_t>(x)) : x; });
}

Result<Facts> infer_abs(InferContext& ctx) {
  return infer_elements(ctx, ctx.dtype(0), [&](std::span<const Dim> x) {
    if (ctx.symbols().is_non_negative(x[0])) return x[0];
    return ctx.symbols().max(x[0], ctx.symbols().mul(x[0], Dim(-1)));
  });
}

}  // namespace

SDX_OP(abs) = {
    .name = "Abs",
    .since = 13,
    .infer = infer_abs,
    .reference = abs_reference,
    .upgrades = {{1, drop_consumed_inputs}},
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
