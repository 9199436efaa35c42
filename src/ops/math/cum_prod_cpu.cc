// CumProd of the common numbers.
#include "ops/math/cumulative.h"

namespace sdx::ops {

SDX_CPU_KERNELS(cum_prod, {.name = "cum_prod_numbers", .can_run = takes_cumulative, .run = [](KernelContext& ctx) {
                             return run_cumulative(ctx, Cumulative::product);
                           }});

}  // namespace sdx::ops
