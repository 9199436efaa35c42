// MaxPool: the greatest element of each window, padding left out; NaN where the window holds one. The optional second
// output is its index in the whole input, each plane in row-major (storage_order 0) or column-major (1) order; of equal
// elements the first.
#include <cmath>

#include "ops/pool/index_pool.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_max_pool(InferContext& ctx) {
  const int64_t order = ctx.attr_int("storage_order", 0);
  if (order != 0 && order != 1) return ctx.fail("storage_order is {}; 0 or 1 is wanted", order);
  SDX_ASSIGN(const Fact fact, infer_pool_output(ctx));
  return Facts({fact, tensor_fact(DType::i64, fact.shape)});
}

Status max_pool_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  const bool wants_indices = ctx.wants_output(1), by_columns = ctx.attr_int("storage_order", 0) == 1;
  const double lowest = x.dtype() == DType::u8   ? 0
                        : x.dtype() == DType::i8 ? -128
                                                 : -std::numeric_limits<double>::infinity();
  return for_each_pool_window(ctx, sizes, [&](int64_t plane, const Shape& position, int64_t at) {
    double best = lowest;
    int64_t index = -1;
    for_each_in_window(sizes.windows, position, [&](int64_t, int64_t from) {
      const double v = load_double(x, plane + from);
      if (index >= 0 && !(v > best) && !(std::isnan(v) && !std::isnan(best))) return;
      best = v;
      index = from;
    });
    if (ctx.wants_output(0)) store_double(ctx.output(0), at, best);
    if (!wants_indices) return;
    const int64_t inside = by_columns && index >= 0 ? column_major(index, sizes.windows.in) : index;
    store_i64(ctx.output(1), at, index < 0 ? -1 : plane + inside);
  });
}

}  // namespace

SDX_OP(max_pool) = {
    .name = "MaxPool",
    .since = 22,
    .infer = infer_max_pool,
    .reference = max_pool_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
