// AveragePool: the mean of each window. Divided by the number of elements inside the input or, with count_include_pad,
// inside the padded input; what ceil_mode lets a last window cover beyond that never counts.
#include "ops/pool/pooling.h"

namespace sdx::ops {
namespace {

Status average_pool_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  const bool counts_padding = ctx.attr_int("count_include_pad", 0) != 0;
  return for_each_pool_window(ctx, sizes, [&](int64_t plane, const Shape& position, int64_t at) {
    double sum = 0;
    int64_t count = 0;
    for_each_in_window(sizes.windows, position, [&](int64_t, int64_t from) {
      sum += load_double(x, plane + from);
      ++count;
    });
    if (counts_padding) {
      count = 1;
      for (size_t axis = 0; axis < position.size(); ++axis)
        count *= pool_count(sizes.windows, axis, position[axis], PoolCount::padded);
    }
    store_double(ctx.output(0), at, sum / static_cast<double>(count));
  });
}

}  // namespace

SDX_OP(average_pool) = {
    .name = "AveragePool",
    .since = 22,
    .infer = infer_pool,
    .reference = average_pool_reference,
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
