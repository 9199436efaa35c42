// Sin: y = sin(x), x in radians.
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

SDX_OP(sin) = {
    .name = "Sin",
    .since = 22,
    .infer = infer_same_as_first,
    .reference = [](KernelContext& ctx) { return reference_unary(ctx, [](double x) { return std::sin(x); }); },
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
