// GlobalAveragePool: the mean over all spatial axes.
#include "ops/pool/pooling.h"

namespace sdx::ops {
namespace {

Status global_average_pool_reference(KernelContext& ctx) {
  return reference_global_pool(ctx, [](const Tensor& x, int64_t first, int64_t count) {
    double sum = 0;
    for (int64_t i = first; i < first + count; ++i) sum += load_double(x, i);
    return sum / static_cast<double>(count);
  });
}

}  // namespace

SDX_OP(global_average_pool) = {
    .name = "GlobalAveragePool",
    .since = 22,
    .infer = infer_global_pool,
    .reference = global_average_pool_reference,
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
