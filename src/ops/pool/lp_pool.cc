// LpPool: (sum of |x|^p over each window)^(1/p); padding adds nothing.
#include <cmath>

#include "ops/pool/pooling.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_lp_pool(InferContext& ctx) {
  if (const int64_t p = ctx.attr_int("p", 2); p < 1) return ctx.fail("p is {}; at least 1 is wanted", p);
  return infer_pool(ctx);
}

Status lp_pool_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  const auto p = static_cast<double>(ctx.attr_int("p", 2));
  return for_each_pool_window(ctx, sizes, [&](int64_t plane, const Shape& position, int64_t at) {
    double sum = 0;
    for_each_in_window(sizes.windows, position,
                       [&](int64_t, int64_t from) { sum += std::pow(std::fabs(load_double(x, plane + from)), p); });
    store_double(ctx.output(0), at, std::pow(sum, 1 / p));
  });
}

// In opset 1 the norm was a float.
Status lp_pool_1_to_2(UpgradeContext& ctx) {
  if (const auto* p = ctx.attributes().get<float>("p")) {
    if (*p != std::floor(*p)) return ctx.fail("p is {}; newer forms take integers only", static_cast<double>(*p));
    ctx.attributes().set("p", double_to_i64(static_cast<double>(*p)));
  }
  return {};
}

}  // namespace

SDX_OP(lp_pool) = {
    .name = "LpPool",
    .since = 22,
    .infer = infer_lp_pool,
    .reference = lp_pool_reference,
    .upgrades = {{1, lp_pool_1_to_2}},
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
