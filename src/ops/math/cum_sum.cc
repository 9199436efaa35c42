// CumSum: running sums along an axis; exclusive leaves the element itself out, reverse runs from the end.
#include "ops/math/cumulative.h"

namespace sdx::ops {

SDX_OP(cum_sum) = {
    .name = "CumSum",
    .since = 14,
    .infer = infer_cumulative,
    .reference = [](KernelContext& ctx) { return cumulative_reference(ctx, Cumulative::sum); },
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
