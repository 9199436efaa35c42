// GlobalLpPool: (sum of |x|^p over all spatial axes)^(1/p).
#include <cmath>

#include "ops/pool/pooling.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_global_lp_pool(InferContext& ctx) {
  if (const int64_t p = ctx.attr_int("p", 2); p < 1) return ctx.fail("p is {}; at least 1 is wanted", p);
  return infer_global_pool(ctx);
}

Status global_lp_pool_reference(KernelContext& ctx) {
  const auto p = static_cast<double>(ctx.attr_int("p", 2));
  return reference_global_pool(ctx, [&](const Tensor& x, int64_t first, int64_t count) {
    double sum = 0;
    for (int64_t i = first; i < first + count; ++i) sum += std::pow(std::fabs(load_double(x, i)), p);
    return std::pow(sum, 1 / p);
  });
}

// In opset 1 the norm was a float.
Status global_lp_pool_1_to_2(UpgradeContext& ctx) {
  if (const auto* p = ctx.attributes().get<float>("p")) {
    if (*p != std::floor(*p)) return ctx.fail("p is {}; newer forms take integers only", static_cast<double>(*p));
    ctx.attributes().set("p", double_to_i64(static_cast<double>(*p)));
  }
  return {};
}

}  // namespace

SDX_OP(global_lp_pool) = {
    .name = "GlobalLpPool",
    .since = 22,
    .infer = infer_global_lp_pool,
    .reference = global_lp_pool_reference,
    .upgrades = {{1, global_lp_pool_1_to_2}},
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
