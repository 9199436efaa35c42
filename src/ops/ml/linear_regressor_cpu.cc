// LinearRegressor: products summed in double by vectors.
#include "ops/ml/linear_regressor.h"
#include "ops/ml/row_products.h"

namespace sdx::ops {

SDX_CPU_KERNELS(linear_regressor,
                {.name = "linear_regressor",
                 .can_run = [](const NodeFacts&) { return yes(); },
                 .run = [](KernelContext& ctx) { return run_linear_regressor(ctx, row_products().dots); }});

}  // namespace sdx::ops
