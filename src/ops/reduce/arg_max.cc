// ArgMax: the index of the largest element along an axis, the first of equal ones or the last (select_last_index). The
// first NaN wins.
#include "ops/reduce/arg_reduction.h"

namespace sdx::ops {

SDX_OP(arg_max) = {
    .name = "ArgMax",
    .since = 13,
    .infer = infer_arg_reduction,
    .reference = [](KernelContext& ctx) { return reference_arg_reduction(ctx, ArgKind::max); },
    .records_constraints = true,
};

}  // namespace sdx::ops
