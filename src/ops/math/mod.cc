// Mod: the remainder of a / b with broadcasting: with the sign of b (fmod=0, the quotient rounds down), or of a
// (fmod=1, toward zero). An integer division by zero is an error. Floats are taken under fmod=0 by every opset.
#include <cmath>

#include "ops/math/arithmetic.h"
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_mod(InferContext& ctx) {
  const int64_t fmod = ctx.attr_int("fmod", 0);
  if (fmod != 0 && fmod != 1) return ctx.fail("attribute fmod is {}, it must be 0 or 1", fmod);
  return infer_shape_arithmetic(ctx, [&](const Dim& a, const Dim& b) {
    const bool natural = ctx.symbols().is_non_negative(a) && ctx.symbols().is_non_negative(b);
    return fmod == 0 || natural ? ctx.symbols().modulo(a, b) : ctx.symbols().fresh_value();
  });
}

int64_t truncated_remainder(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }

int64_t floored_remainder(int64_t a, int64_t b) {
  const int64_t r = truncated_remainder(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

double floored_remainder_f64(double a, double b) {
  const double r = std::fmod(a, b);
  if (r == 0) return std::copysign(0.0, b);
  return (r < 0) != (b < 0) && !std::isnan(r) ? r + b : r;
}

Status mod_reference(KernelContext& ctx) {
  SDX_TRY(check_divisor(ctx.input(1), ctx.output(0).count()));
  const auto unsigned_remainder = [](uint64_t a, uint64_t b) { return a % b; };
  if (ctx.attr_int("fmod", 0) == 0)
    return reference_binary(ctx, {.f = floored_remainder_f64, .g = floored_remainder, .h = unsigned_remainder});
  return reference_binary(
      ctx,
      {.f = [](double a, double b) { return std::fmod(a, b); }, .g = truncated_remainder, .h = unsigned_remainder});
}

}  // namespace

SDX_OP(mod) = {
    .name = "Mod",
    .since = 28,
    .infer = infer_mod,
    .reference = mod_reference,
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
