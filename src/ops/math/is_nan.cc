// IsNaN: y = x is not a number.
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

SDX_OP(is_nan) = {
    .name = "IsNaN",
    .since = 20,
    .infer = [](InferContext& ctx) -> Result<Facts> { return tensor_fact(DType::boolean, ctx.input(0).shape); },
    .reference =
        [](KernelContext& ctx) { return reference_map(ctx, [](double x) { return std::isnan(x) ? 1.0 : 0.0; }); },
    .records_constraints = true,
};

}  // namespace sdx::ops
