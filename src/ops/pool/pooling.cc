#include "ops/pool/pooling.h"

namespace sdx::ops {

Result<Fact> infer_pool_output(InferContext& ctx) {
  if (!ctx.has_rank(0)) {
    SDX_TRY(read_windows(ctx.attributes(), ctx.attr_ints("kernel_shape").size(), {}).status());
    return tensor_fact(ctx.dtype(0), std::nullopt);
  }
  const int rank = ctx.rank(0);
  if (rank < 3) return ctx.fail("the input has rank {}; batch, channels and spatial axes are wanted", rank);
  SDX_ASSIGN(const WindowAttributes windows, read_windows(ctx.attributes(), static_cast<size_t>(rank) - 2, {}));
  SymShape shape = *ctx.input(0).shape;
  for (size_t axis = 0; axis < windows.kernel.size(); ++axis) {
    SDX_ASSIGN(shape[2 + axis], infer_windows(ctx, windows, axis, shape[2 + axis]));
  }
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

Result<Facts> infer_pool(InferContext& ctx) {
  SDX_ASSIGN(Fact fact, infer_pool_output(ctx));
  return Facts(std::move(fact));
}

Result<Facts> infer_global_pool(InferContext& ctx) {
  if (!ctx.has_rank(0)) return tensor_fact(ctx.dtype(0), std::nullopt);
  if (ctx.rank(0) < 2) return ctx.fail("the input has rank {}; batch and channels are wanted", ctx.rank(0));
  SymShape shape = *ctx.input(0).shape;
  for (size_t axis = 2; axis < shape.size(); ++axis) shape[axis] = Dim(1);
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

Result<PoolSizes> pool_sizes(KernelContext& ctx) {
  const Shape &x = ctx.input(0).shape(), &y = ctx.output_shape(0);
  const std::span<const int64_t> in(x.begin() + 2, x.end()), out(y.begin() + 2, y.end());
  SDX_ASSIGN(const WindowAttributes attributes, read_windows(ctx.attributes(), in.size(), {}));
  return PoolSizes{.planes = x[0] * x[1], .windows = resolve_windows(attributes, in, out)};
}

int64_t pool_count(const Windows& w, size_t axis, int64_t window, PoolCount what) {
  const int64_t first = window * w.strides[axis] - w.begin[axis], step = w.dilations[axis];
  const int64_t end = what == PoolCount::padded ? w.in[axis] + w.end[axis] : w.in[axis];
  const int64_t before = what == PoolCount::padded || first >= 0 ? 0 : (-first + step - 1) / step;
  const int64_t until = first >= end ? 0 : (end - first + step - 1) / step;
  return std::max<int64_t>(0, std::min(w.kernel[axis], until) - before);
}

bool is_whole_plane(const Windows& w) {
  for (size_t axis = 0; axis < w.axes(); ++axis) {
    const bool has_gaps = w.dilations[axis] != 1 && w.kernel[axis] != 1;
    if (w.out[axis] != 1 || w.begin[axis] != 0 || w.kernel[axis] != w.in[axis] || has_gaps) return false;
  }
  return true;
}

Status reference_global_pool(KernelContext& ctx, FunctionRef<double(const Tensor&, int64_t, int64_t)> f) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const int64_t count = count_range(x.shape(), 2, x.shape().size());
  for (int64_t plane = 0; plane < y.count(); ++plane) store_double(y, plane, f(x, plane * count, count));
  return {};
}

}  // namespace sdx::ops
