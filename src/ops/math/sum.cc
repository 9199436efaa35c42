// Sum: the sum of all operands, with broadcasting.
#include "ops/math/variadic.h"
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

SDX_OP(sum) = {
    .name = "Sum",
    .since = 13,
    .infer = infer_variadic,
    .reference =
        [](KernelContext& ctx) { return reference_variadic(ctx, {.f = [](double a, double b) { return a + b; }}); },
    .upgrades = {{1, drop_consumed_inputs}},
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
