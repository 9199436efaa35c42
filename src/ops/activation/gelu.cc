// Gelu: y = x Phi(x), Phi the normal distribution function; approximate="tanh": y = x / 2 (1 + tanh(...)).
#include "ops/activation/gelu.h"

#include <cmath>
#include <numbers>

#include "ops/reference.h"

namespace sdx::ops {

double gelu(double x) { return x * (0.5 * std::erfc(-x * std::numbers::sqrt2 / 2)); }

double tanh_gelu(double x) {
  const double z = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  return x / (1 + std::exp(-2 * z));  // (1 + tanh z) / 2 without cancellation
}

namespace {

Result<Facts> infer_gelu(InferContext& ctx) {
  const std::string_view approximate = ctx.attr_string("approximate", "none");
  if (approximate != "none" && approximate != "tanh")
    return ctx.fail("attribute approximate is \"{}\", it must be \"none\" or \"tanh\"", approximate);
  return infer_same_as_first(ctx);
}

Status gelu_reference(KernelContext& ctx) {
  return reference_unary(ctx, ctx.attr_string("approximate", "none") == "tanh" ? tanh_gelu : gelu);
}

}  // namespace

SDX_OP(gelu) = {
    .name = "Gelu",
    .since = 20,
    .infer = infer_gelu,
    .reference = gelu_reference,
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(4e-6),
};

}  // namespace sdx::ops
