// GlobalMaxPool: the greatest element over all spatial axes; NaN where there is one.
#include <cmath>

#include "ops/pool/pooling.h"

namespace sdx::ops {
namespace {

Status global_max_pool_reference(KernelContext& ctx) {
  return reference_global_pool(ctx, [](const Tensor& x, int64_t first, int64_t count) {
    double best = -std::numeric_limits<double>::infinity();
    for (int64_t i = first; i < first + count; ++i) {
      const double v = load_double(x, i);
      if (v > best || std::isnan(v)) best = v;
    }
    return best;
  });
}

}  // namespace

SDX_OP(global_max_pool) = {
    .name = "GlobalMaxPool",
    .since = 22,
    .infer = infer_global_pool,
    .reference = global_max_pool_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
