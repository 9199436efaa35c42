// Softsign: y = x / (1 + |x|).
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

SDX_OP(softsign) = {
    .name = "Softsign",
    .since = 22,
    .infer = infer_same_as_first,
    .reference =
        [](KernelContext& ctx) { return reference_unary(ctx, [](double x) { return x / (1 + std::fabs(x)); }); },
    .records_constraints = true,
    .in_place = 0,
    .tolerance = ulp(4),
};

}  // namespace sdx::ops
