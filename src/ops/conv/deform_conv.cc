// DeformConv: a convolution whose kernel elements look at shifted places: x is read by multilinear interpolation at
//   p * stride - begin + i * dilation + offset[n, group of the channel, i, axis, p], zero outside, times mask.
#include <cmath>

#include "ops/conv/convolution.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_deform_conv(InferContext& ctx) {
  const int64_t offset_groups = ctx.attr_int("offset_group", 1), groups = ctx.attr_int("group", 1);
  if (offset_groups < 1 || groups < 1)
    return ctx.fail("offset_group is {}, group is {}; at least 1 is wanted", offset_groups, groups);
  if (!ctx.has_rank(0) || !ctx.has_rank(1)) return tensor_fact(ctx.dtype(0), std::nullopt);
  const int rank = ctx.rank(0);
  if (rank < 3 || ctx.rank(1) != rank) return ctx.fail("x has rank {}, weight has rank {}", rank, ctx.rank(1));
  SymbolTable& symbols = ctx.symbols();
  if (symbols.equal(ctx.dim(0, 1), symbols.mul(ctx.dim(1, 1), Dim(groups))) == Truth::no)
    return ctx.fail("weight has {} input channels in {} groups, x has {}", symbols.to_text(ctx.dim(1, 1)), groups,
                    symbols.to_text(ctx.dim(0, 1)));
  if (ctx.dim(1, 0).is_known() && ctx.dim(1, 0).known() % groups != 0)
    return ctx.fail("weight has {} output channels, which {} groups do not divide", ctx.dim(1, 0).known(), groups);
  if (ctx.dim(0, 1).is_known() && ctx.dim(0, 1).known() % offset_groups != 0)
    return ctx.fail("x has {} channels, which {} offset groups do not divide", ctx.dim(0, 1).known(), offset_groups);
  ctx.assume({Constraint::Kind::equal, ctx.dim(0, 1), symbols.mul(ctx.dim(1, 1), Dim(groups))});
  ctx.assume({Constraint::Kind::divides, ctx.dim(1, 0), Dim(groups)});
  ctx.assume({Constraint::Kind::divides, ctx.dim(0, 1), Dim(offset_groups)});
  SymShape shape = ctx.unknown_shape(rank);
  shape[0] = ctx.dim(0, 0);
  shape[1] = ctx.dim(1, 0);
  Shape kernel;
  Dim taps(1);
  for (int axis = 2; axis < rank; ++axis) {
    if (!ctx.dim(1, axis).is_known()) return tensor_fact(ctx.dtype(0), std::move(shape));
    if (ctx.dim(1, axis).known() < 1) return ctx.fail("weight has kernel size 0 on spatial axis {}", axis - 2);
    kernel.push_back(ctx.dim(1, axis).known());
    taps = symbols.mul(taps, ctx.dim(1, axis));
  }
  SDX_ASSIGN(const WindowAttributes windows, read_windows(ctx.attributes(), kernel.size(), kernel));
  for (size_t axis = 0; axis < kernel.size(); ++axis) {
    SDX_ASSIGN(shape[2 + axis], infer_windows(ctx, windows, axis, ctx.dim(0, static_cast<int>(axis) + 2)));
  }
  if (ctx.has_input(3) && ctx.has_rank(3)) {
    if (ctx.rank(3) != 1) return ctx.fail("bias has rank {}; a vector is wanted", ctx.rank(3));
    SDX_TRY(ctx.same(ctx.dim(3, 0), shape[1], "entries of the bias and output channels").status());
  }
  const Dim fields = symbols.mul(taps, Dim(offset_groups));
  for (const size_t i : {2, 4}) {
    if (!ctx.has_input(i) || !ctx.has_rank(i)) continue;
    const std::string_view name = i == 2 ? "offset" : "mask";
    if (ctx.rank(i) != rank) return ctx.fail("{} has rank {}; {} is wanted", name, ctx.rank(i), rank);
    const Dim wanted = i == 2 ? symbols.mul(fields, Dim(rank - 2)) : fields;
    SDX_TRY(ctx.same(ctx.dim(i, 0), shape[0], formatted("images of {} and x", name)).status());
    SDX_TRY(ctx.same(ctx.dim(i, 1), wanted, formatted("channels of {} and kernel elements", name)).status());
    for (int axis = 2; axis < rank; ++axis) {
      SDX_ASSIGN(shape[static_cast<size_t>(axis)],
                 ctx.same(ctx.dim(i, axis), shape[static_cast<size_t>(axis)],
                          formatted("spatial axis {} of {} and the output", axis - 2, name)));
    }
  }
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

// x at a place between elements; what lies outside is zero.
double interpolate(const double* plane, const Shape& size, const std::vector<double>& place) {
  const Shape two(size.size(), 2);
  Shape corner(size.size());
  double sum = 0;
  do {
    double weight = 1;
    int64_t at = 0;
    for (size_t axis = 0; axis < size.size() && weight != 0; ++axis) {
      const double low = std::floor(place[axis]), part = place[axis] - low;
      const double coordinate = low + static_cast<double>(corner[axis]);
      const bool inside = coordinate >= 0 && coordinate < static_cast<double>(size[axis]);  // false for NaN
      weight = inside ? weight * (corner[axis] == 0 ? 1 - part : part) : 0;
      at = inside ? at * size[axis] + static_cast<int64_t>(coordinate) : at;
    }
    if (weight != 0) sum += weight * plane[at];
  } while (next_position(corner, two));
  return sum;
}

Status deform_conv_reference(KernelContext& ctx) {
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  SDX_ASSIGN(const ConvSizes s, conv_sizes(ctx));
  const Windows& w = s.windows;
  const std::vector<double> x = read_doubles(ctx.input(0)), weights = read_doubles(ctx.input(1));
  const int64_t offset_groups = ctx.attr_int("offset_group", 1), per_offset_group = s.channels / offset_groups;
  const int64_t taps = s.kernel_count(), positions = s.out_count(), axes = static_cast<int64_t>(w.axes());
  const bool has_mask = ctx.has_input(4);
  std::vector<double> values(static_cast<size_t>(s.channels * taps)), place(w.axes());
  for (int64_t n = 0; n < s.batch; ++n) {
    Shape position(w.axes());
    for (int64_t p = 0; p < positions; ++p) {
      SDX_TRY(ctx.check_cancelled());
      for (int64_t channel = 0; channel < s.channels; ++channel) {
        Shape tap_at(w.axes());
        const int64_t group = n * offset_groups + channel / per_offset_group;
        for (int64_t tap = 0; tap < taps; ++tap) {
          for (int64_t axis = 0; axis < axes; ++axis) {
            const auto a = static_cast<size_t>(axis);
            place[a] = static_cast<double>(position[a] * w.strides[a] - w.begin[a] + tap_at[a] * w.dilations[a]) +
                       load_double(ctx.input(2), ((group * taps + tap) * axes + axis) * positions + p);
          }
          double v = interpolate(x.data() + (n * s.channels + channel) * s.in_count(), w.in, place);
          if (has_mask) v *= load_double(ctx.input(4), (group * taps + tap) * positions + p);
          values[static_cast<size_t>(channel * taps + tap)] = v;
          next_position(tap_at, w.kernel);
        }
      }
      for (int64_t o = 0; o < s.outputs; ++o) {
        const int64_t depth = s.group_channels() * taps;
        const double* from = values.data() + o / s.group_outputs() * depth;
        double sum = ctx.has_input(3) ? load_double(ctx.input(3), o) : 0;
        for (int64_t i = 0; i < depth; ++i) sum += weights[static_cast<size_t>(o * depth + i)] * from[i];
        store_double(y, (n * s.outputs + o) * positions + p, sum);
      }
      next_position(position, w.out);
    }
  }
  return {};
}

}  // namespace

SDX_OP(deform_conv) = {
    .name = "DeformConv",
    .since = 22,
    .infer = infer_deform_conv,
    .reference = deform_conv_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
