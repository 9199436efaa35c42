// Mish: y = x tanh(ln(1 + e^x)).
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

SDX_OP(mish) = {
    .name = "Mish",
    .since = 22,
    .infer = infer_same_as_first,
    .reference =
        [](KernelContext& ctx) {
          return reference_unary(ctx, [](double x) { return x * std::tanh(std::log1p(std::exp(x))); });
        },
    .records_constraints = true,
    .in_place = 0,
    .tolerance = ulp(8),
};

}  // namespace sdx::ops
