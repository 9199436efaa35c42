// HardSwish: y = x max(0, min(1, x / 6 + 1/2)).
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

SDX_OP(hard_swish) = {
    .name = "HardSwish",
    .since = 22,
    .infer = infer_same_as_first,
    .reference =
        [](KernelContext& ctx) {
          return reference_unary(ctx, [](double x) { return x * std::max(0.0, std::min(1.0, x / 6 + 0.5)); });
        },
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
