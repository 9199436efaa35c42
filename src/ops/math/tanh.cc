// Tanh: y = tanh(x).
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

SDX_OP(tanh) = {
    .name = "Tanh",
    .since = 13,
    .infer = infer_same_as_first,
    .reference = [](KernelContext& ctx) { return reference_unary(ctx, [](double x) { return std::tanh(x); }); },
    .upgrades = {{1, drop_consumed_inputs}},
    .records_constraints = true,
    .in_place = 0,
    .tolerance = ulp(4),
};

}  // namespace sdx::ops
