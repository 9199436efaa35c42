// Round: the nearest integer, an even one from the middle.
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

SDX_OP(round) = {
    .name = "Round",
    .since = 22,
    .infer = infer_same_as_first,
    .reference = [](KernelContext& ctx) { return reference_unary(ctx, [](double x) { return std::nearbyint(x); }); },
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
