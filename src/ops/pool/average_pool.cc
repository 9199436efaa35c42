// AveragePool: the mean of each window. Divided by the number of elements inside the input or, with count_include_pad,
// inside the padded input; what ceil_mode lets a last window cover beyond that never counts.
#include "ops/pool/pooling.h"

namespace sdx::ops {
namespace {

// Elements of the window at `position` that lie in the padded input.
int64_t padded_count(const Windows& w, const Shape& position) {
  int64_t count = 1;
  for (size_t axis = 0; axis < w.axes(); ++axis) {
    const int64_t first = position[axis] * w.strides[axis] - w.begin[axis], end = w.in[axis] + w.end[axis];
    const int64_t fitting = first >= end ? 0 : (end - first + w.dilations[axis] - 1) / w.dilations[axis];
    count *= std::min(w.kernel[axis], fitting);
  }
  return count;
}

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
    if (counts_padding) count = padded_count(sizes.windows, position);
    store_double(ctx.output(0), at, sum / static_cast<double>(count));
  });
}

}  // namespace

SDX_OP(average_pool) = {
    .name = "AveragePool",
    .since = 22,
    .infer = infer_pool,
    .reference = average_pool_reference,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
