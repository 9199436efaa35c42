// Sigmoid: y = 1 / (1 + e^-x).
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

SDX_OP(sigmoid) = {
    .name = "Sigmoid",
    .since = 13,
    .infer = infer_same_as_first,
    .reference =
        [](KernelContext& ctx) { return reference_unary(ctx, [](double x) { return 1 / (1 + std::exp(-x)); }); },
    .upgrades = {{1, drop_consumed_inputs}},
    .records_constraints = true,
    .in_place = 0,
    .tolerance = ulp(4),
};

}  // namespace sdx::ops
