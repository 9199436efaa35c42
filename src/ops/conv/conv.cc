// Conv: y[n,o,p] = b[o] + sum over channels c of o's group and kernel elements i of
//   w[o,c,i] * x[n, c, p * stride - begin + i * dilation], where x is zero outside. Any number of spatial axes.
#include "ops/conv/convolution.h"

namespace sdx::ops {

Result<Facts> infer_conv(InferContext& ctx) {
  const DType type = ctx.dtype(0);
  const int64_t groups = ctx.attr_int("group", 1);
  if (groups < 1) return ctx.fail("group is {}; at least 1 is wanted", groups);
  if (!ctx.has_rank(0) && !ctx.has_rank(1)) return tensor_fact(type, std::nullopt);
  const int rank = ctx.has_rank(0) ? ctx.rank(0) : ctx.rank(1);
  if (rank < 3) return ctx.fail("the input has rank {}; batch, channels and spatial axes are wanted", rank);
  if (ctx.has_rank(0) && ctx.has_rank(1) && ctx.rank(1) != rank)
    return ctx.fail("weight has rank {}, x has rank {}", ctx.rank(1), rank);
  SymShape shape = ctx.unknown_shape(rank);
  if (ctx.has_rank(0)) shape[0] = ctx.dim(0, 0);
  if (!ctx.has_rank(1)) return tensor_fact(type, std::move(shape));
  shape[1] = ctx.dim(1, 0);
  if (shape[1].is_known() && shape[1].known() % groups != 0)
    return ctx.fail("weight has {} output channels, which {} groups do not divide", shape[1].known(), groups);
  ctx.assume({Constraint::Kind::divides, shape[1], Dim(groups)});
  if (ctx.has_rank(0)) {
    const Dim wanted = ctx.symbols().mul(ctx.dim(1, 1), Dim(groups));
    ctx.assume({Constraint::Kind::equal, ctx.dim(0, 1), wanted});
    if (ctx.symbols().equal(ctx.dim(0, 1), wanted) == Truth::no)
      return ctx.fail("weight has {} input channels in {} groups, x has {}", ctx.symbols().to_text(ctx.dim(1, 1)),
                      groups, ctx.symbols().to_text(ctx.dim(0, 1)));
  }
  if (ctx.has_input(2) && ctx.has_rank(2)) {
    if (ctx.rank(2) != 1) return ctx.fail("bias has rank {}; a vector is wanted", ctx.rank(2));
    SDX_TRY(ctx.same(ctx.dim(2, 0), shape[1], "entries of the bias and output channels").status());
  }
  Shape kernel;
  for (int axis = 2; axis < rank; ++axis) {
    if (!ctx.dim(1, axis).is_known()) return tensor_fact(type, std::move(shape));
    if (ctx.dim(1, axis).known() < 1) return ctx.fail("weight has kernel size 0 on spatial axis {}", axis - 2);
    kernel.push_back(ctx.dim(1, axis).known());
  }
  SDX_ASSIGN(const WindowAttributes windows, read_windows(ctx.attributes(), kernel.size(), kernel));
  if (!ctx.has_rank(0)) return tensor_fact(type, std::move(shape));
  for (size_t axis = 0; axis < kernel.size(); ++axis) {
    SDX_ASSIGN(shape[2 + axis], infer_windows(ctx, windows, axis, ctx.dim(0, static_cast<int>(axis) + 2)));
  }
  return tensor_fact(type, std::move(shape));
}

Result<ConvSizes> conv_sizes(KernelContext& ctx) {
  const Shape &x = ctx.input(0).shape(), &w = ctx.input(1).shape(), &y = ctx.output(0).shape();
  const std::span<const int64_t> in(x.begin() + 2, x.end()), kernel(w.begin() + 2, w.end()),
      out(y.begin() + 2, y.end());
  SDX_ASSIGN(const WindowAttributes attributes, read_windows(ctx.attributes(), in.size(), kernel));
  ConvSizes sizes{.batch = x[0], .channels = x[1], .outputs = w[0], .groups = ctx.attr_int("group", 1)};
  sizes.windows = resolve_windows(attributes, in, out);
  return sizes;
}

std::vector<double> read_doubles(const Tensor& tensor) {
  std::vector<double> values(static_cast<size_t>(tensor.count()));
  for (size_t i = 0; i < values.size(); ++i) values[i] = load_double(tensor, static_cast<int64_t>(i));
  return values;
}

Status conv_reference(KernelContext& ctx, FunctionRef<double(double, int64_t)> finish) {
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  SDX_ASSIGN(const ConvSizes s, conv_sizes(ctx));
  const std::vector<double> x = read_doubles(ctx.input(0)), w = read_doubles(ctx.input(1));
  const int64_t in = s.in_count(), taps = s.kernel_count(), depth = s.group_channels();
  int64_t at = 0;
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t o = 0; o < s.outputs; ++o) {
      SDX_TRY(ctx.check_cancelled());
      const double* image = x.data() + (n * s.channels + o / s.group_outputs() * depth) * in;
      const double* weight = w.data() + o * depth * taps;
      const double bias = ctx.has_input(2) ? load_double(ctx.input(2), o) : 0;
      Shape position(s.windows.axes());
      do {
        double sum = bias;
        for_each_in_window(s.windows, position, [&](int64_t tap, int64_t from) {
          for (int64_t c = 0; c < depth; ++c) sum += weight[c * taps + tap] * image[c * in + from];
        });
        store_double(y, at, finish(sum, at));
        ++at;
      } while (next_position(position, s.windows.out));
    }
  }
  return {};
}

SDX_OP(conv) = {
    .name = "Conv",
    .since = 22,
    .infer = infer_conv,
    .reference = [](KernelContext& ctx) { return conv_reference(ctx, [](double v, int64_t) { return v; }); },
    .records_constraints = true,
    .tolerance = relative(3e-6),
};

}  // namespace sdx::ops
