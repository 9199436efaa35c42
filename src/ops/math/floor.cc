// Floor: the greatest integer not above x.
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

SDX_OP(floor) = {
    .name = "Floor",
    .since = 13,
    .infer = infer_same_as_first,
    .reference = [](KernelContext& ctx) { return reference_unary(ctx, [](double x) { return std::floor(x); }); },
    .upgrades = {{1, drop_consumed_inputs}},
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
