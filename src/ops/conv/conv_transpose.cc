// ConvTranspose: every input element adds w * x[n,c,i] to the outputs o = i * stride - begin + k * dilation, plus the
// bias. The output has stride * (in - 1) + output_padding + span - pads elements along an axis, or output_shape, from
// which the pads follow: the larger half at the start, unless auto_pad is SAME_UPPER.
#include "ops/conv/conv_transpose.h"

#include "ops/conv/convolution.h"

namespace sdx::ops {
namespace {

using Pad = WindowAttributes::Pad;

struct Extras {
  Shape output_padding;  // one an axis
  Shape output_shape;    // empty: not given
};

Result<Extras> read_extras(const Attributes& attributes, const WindowAttributes& w) {
  const size_t axes = w.kernel.size();
  Extras extras{.output_padding = Shape(axes, 0), .output_shape = {}};
  const auto padding = attributes.get_ints("output_padding"), shape = attributes.get_ints("output_shape");
  if (!padding.empty()) {
    if (padding.size() != axes)
      return invalid_argument("output_padding has {} entries; {} are wanted", padding.size(), axes);
    for (size_t axis = 0; axis < axes; ++axis)
      if (padding[axis] < 0 || padding[axis] >= std::max(w.strides[axis], w.dilations[axis]))
        return invalid_argument("output_padding holds {}; at least 0 and less than stride or dilation ({}) is wanted",
                                padding[axis], std::max(w.strides[axis], w.dilations[axis]));
    extras.output_padding = Shape(padding);
  }
  if (!shape.empty()) {
    // Some exporters write batch and channels too.
    const size_t extra = shape.size() == axes + 2 ? 2 : 0;
    if (shape.size() - extra != axes)
      return invalid_argument("output_shape has {} entries; {} are wanted", shape.size(), axes);
    extras.output_shape = Shape(shape.subspan(extra));
    for (const int64_t v : extras.output_shape)
      if (v < 0) return invalid_argument("output_shape holds {}; at least 0 is wanted", v);
  }
  return extras;
}

bool is_same(const WindowAttributes& w) { return w.pad == Pad::same_upper || w.pad == Pad::same_lower; }

}  // namespace

Result<Facts> infer_conv_transpose(InferContext& ctx) {
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
  shape[1] = ctx.symbols().mul(ctx.dim(1, 1), Dim(groups));
  if (ctx.has_rank(0))
    SDX_TRY(ctx.same(ctx.dim(0, 1), ctx.dim(1, 0), "input channels of x and of the weight").status());
  if (ctx.dim(1, 0).is_known() && ctx.dim(1, 0).known() % groups != 0)
    return ctx.fail("weight has {} input channels, which {} groups do not divide", ctx.dim(1, 0).known(), groups);
  ctx.assume({Constraint::Kind::divides, ctx.dim(1, 0), Dim(groups)});
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
  SDX_ASSIGN(const WindowAttributes w, read_windows(ctx.attributes(), kernel.size(), kernel));
  SDX_ASSIGN(const Extras extras, read_extras(ctx.attributes(), w));
  SymbolTable& symbols = ctx.symbols();
  for (size_t axis = 0; axis < kernel.size(); ++axis) {
    Dim& out = shape[2 + axis];
    if (!extras.output_shape.empty()) {
      out = Dim(extras.output_shape[axis]);
      continue;
    }
    if (!ctx.has_rank(0)) continue;
    const Dim& in = ctx.dim(0, static_cast<int>(axis) + 2);
    if (is_same(w)) {
      out = symbols.mul(in, Dim(w.strides[axis]));
      continue;
    }
    const int64_t rest = extras.output_padding[axis] + w.span(axis) - w.begin[axis] - w.end[axis] - w.strides[axis];
    out = symbols.add(symbols.mul(in, Dim(w.strides[axis])), Dim(rest));
    if (in.is(0)) out = Dim(0);
    ctx.assume({Constraint::Kind::at_least, in, Dim(1)});
    if (out.is_known() && out.known() < 0)
      return ctx.fail("pads of {} and {} leave nothing of spatial axis {}", w.begin[axis], w.end[axis], axis);
  }
  return tensor_fact(type, std::move(shape));
}

Result<ConvSizes> conv_transpose_sizes(KernelContext& ctx) {
  const Shape &x = ctx.input(0).shape(), &w = ctx.input(1).shape(), &y = ctx.output(0).shape();
  const std::span<const int64_t> in(x.begin() + 2, x.end()), kernel(w.begin() + 2, w.end()),
      out(y.begin() + 2, y.end());
  SDX_ASSIGN(const WindowAttributes attributes, read_windows(ctx.attributes(), in.size(), kernel));
  SDX_ASSIGN(const Extras extras, read_extras(ctx.attributes(), attributes));
  ConvSizes sizes{.batch = y[0], .channels = y[1], .outputs = x[1], .groups = ctx.attr_int("group", 1)};
  sizes.windows = resolve_windows(attributes, out, in);
  for (size_t axis = 0; axis < in.size(); ++axis) {
    if (extras.output_shape.empty() && !is_same(attributes)) continue;
    const int64_t total = std::max<int64_t>(
        0, attributes.strides[axis] * (in[axis] - 1) + extras.output_padding[axis] + attributes.span(axis) - out[axis]);
    sizes.windows.begin[axis] = attributes.pad == Pad::same_upper ? total / 2 : total - total / 2;
  }
  return sizes;
}

namespace {

Status conv_transpose_reference(KernelContext& ctx) {
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  SDX_ASSIGN(const ConvSizes s, conv_transpose_sizes(ctx));
  const std::vector<double> x = read_doubles(ctx.input(0)), w = read_doubles(ctx.input(1));
  const int64_t plane = s.in_count(), positions = s.out_count(), taps = s.kernel_count();
  std::vector<double> sums(static_cast<size_t>(plane));
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t channel = 0; channel < s.channels; ++channel) {
      SDX_TRY(ctx.check_cancelled());
      const int64_t group = channel / s.group_channels(), within = channel % s.group_channels();
      const double bias = ctx.has_input(2) ? load_double(ctx.input(2), channel) : 0;
      sums.assign(sums.size(), bias);
      Shape position(s.windows.axes());
      for (int64_t i = 0; i < positions; ++i) {
        for_each_in_window(s.windows, position, [&](int64_t tap, int64_t at) {
          for (int64_t c = group * s.group_outputs(); c < (group + 1) * s.group_outputs(); ++c)
            sums[static_cast<size_t>(at)] += x[static_cast<size_t>((n * s.outputs + c) * positions + i)] *
                                             w[static_cast<size_t>((c * s.group_channels() + within) * taps + tap)];
        });
        next_position(position, s.windows.out);
      }
      for (int64_t i = 0; i < plane; ++i)
        store_double(y, (n * s.channels + channel) * plane + i, sums[static_cast<size_t>(i)]);
    }
  }
  return {};
}

}  // namespace

SDX_OP(conv_transpose) = {
    .name = "ConvTranspose",
    .since = 22,
    .infer = infer_conv_transpose,
    .reference = conv_transpose_reference,
    .records_constraints = true,
    .tolerance = relative(3e-6),
};

}  // namespace sdx::ops
