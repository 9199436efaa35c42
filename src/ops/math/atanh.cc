// Atanh: y = artanh(x); NaN outside [-1, 1].
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

SDX_OP(atanh) = {
    .name = "Atanh",
    .since = 22,
    .infer = infer_same_as_first,
    .reference = [](KernelContext& ctx) { return reference_unary(ctx, [](double x) { return std::atanh(x); }); },
    .records_constraints = true,
    .in_place = 0,
    .tolerance = ulp(4),
};

}  // namespace sdx::ops
