// Reciprocal: y = 1 / x.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

SDX_OP(reciprocal) = {
    .name = "Reciprocal",
    .since = 13,
    .infer = infer_same_as_first,
    .reference = [](KernelContext& ctx) { return reference_unary(ctx, [](double x) { return 1 / x; }); },
    .upgrades = {{1, drop_consumed_inputs}},
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
