// LpNormalization: y = x / norm along an axis; zero where the norm is zero. p is 1 or 2.
#include <cmath>

#include "ops/norm/softmax_family.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_lp_normalization(InferContext& ctx) {
  const int64_t p = ctx.attr_int("p", 2);
  if (p != 1 && p != 2) return ctx.fail("attribute p is {}; 1 or 2 is allowed", p);
  return infer_softmax(ctx);
}

void divide(std::span<double> x, double norm) {
  for (double& v : x) v = norm == 0 ? 0 : v / norm;
}

void l1_line(std::span<double> x) {
  double sum = 0;
  for (const double v : x) sum += std::fabs(v);
  divide(x, sum);
}

void l2_line(std::span<double> x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  divide(x, std::sqrt(sum));
}

}  // namespace

SDX_OP(lp_normalization) = {
    .name = "LpNormalization",
    .since = 22,
    .infer = infer_lp_normalization,
    .reference =
        [](KernelContext& ctx) { return reference_softmax(ctx, ctx.attr_int("p", 2) == 1 ? l1_line : l2_line); },
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
