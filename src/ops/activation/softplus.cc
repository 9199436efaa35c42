// Softplus: y = ln(1 + e^x).
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

SDX_OP(softplus) = {
    .name = "Softplus",
    .since = 22,
    .infer = infer_same_as_first,
    .reference =
        [](KernelContext& ctx) {
          return reference_unary(ctx, [](double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); });
        },
    .records_constraints = true,
    .in_place = 0,
    .tolerance = ulp(4),
};

}  // namespace sdx::ops
