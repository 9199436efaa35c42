// ArgMin: the index of the smallest element along an axis, the first of equal ones or the last (select_last_index). The
// first NaN wins.
#include "ops/reduce/arg_reduction.h"

namespace sdx::ops {

SDX_OP(arg_min) = {
    .name = "ArgMin",
    .since = 13,
    .infer = infer_arg_reduction,
    .reference = [](KernelContext& ctx) { return reference_arg_reduction(ctx, ArgKind::min); },
    .records_constraints = true,
};

}  // namespace sdx::ops
