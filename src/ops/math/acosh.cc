// Acosh: y = arcosh(x); NaN below 1.
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

SDX_OP(acosh) = {
    .name = "Acosh",
    .since = 22,
    .infer = infer_same_as_first,
    .reference = [](KernelContext& ctx) { return reference_unary(ctx, [](double x) { return std::acosh(x); }); },
    .records_constraints = true,
    .in_place = 0,
    .tolerance = ulp(4),
};

}  // namespace sdx::ops
