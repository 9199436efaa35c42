// CumSum of the common numbers.
#include "ops/math/cumulative.h"

namespace sdx::ops {

SDX_CPU_KERNELS(cum_sum, {.name = "cum_sum_numbers", .can_run = takes_cumulative, .run = [](KernelContext& ctx) {
                            return run_cumulative(ctx, Cumulative::sum);
                          }});

}  // namespace sdx::ops
