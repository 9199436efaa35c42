#include "ops/quant/convolution_shape.h"

namespace sdx::ops {
namespace {

constexpr int64_t kMaxStep = int64_t{1} << 31;  // of strides, dilations, pads, kernels: keeps products in int64

// A list attribute with one value an axis (or two: `per_axis`), or its default.
Result<Shape> steps(const Attributes& attributes, std::string_view name, size_t count, int64_t otherwise,
                    int64_t least) {
  const auto given = attributes.get_ints(name);
  if (given.empty()) return Shape(count, otherwise);
  if (given.size() != count)
    return invalid_argument("attribute {} has {} values, {} are wanted", name, given.size(), count);
  for (const int64_t value : given)
    if (value < least || value > kMaxStep)
      return invalid_argument("attribute {} holds {}, which is outside [{}, {}]", name, value, least, kMaxStep);
  return Shape(given);
}

struct Steps {
  Shape strides, dilations, pads;  // pads: 2 an axis
  std::string_view auto_pad;
};

Result<Steps> all_steps(const Attributes& attributes, size_t axes) {
  Steps made;
  SDX_ASSIGN(made.strides, steps(attributes, "strides", axes, 1, 1));
  SDX_ASSIGN(made.dilations, steps(attributes, "dilations", axes, 1, 1));
  SDX_ASSIGN(made.pads, steps(attributes, "pads", 2 * axes, 0, 0));
  made.auto_pad = attributes.get_string("auto_pad", "NOTSET");
  if (made.auto_pad != "NOTSET" && made.auto_pad != "SAME_UPPER" && made.auto_pad != "SAME_LOWER" &&
      made.auto_pad != "VALID")
    return invalid_argument("attribute auto_pad is {}: NOTSET, SAME_UPPER, SAME_LOWER or VALID is wanted",
                            made.auto_pad);
  return made;
}

}  // namespace

Result<std::optional<SymShape>> infer_convolution(InferContext& ctx, size_t x, size_t w) {
  if (!ctx.has_rank(x)) return std::optional<SymShape>();
  return infer_convolution_of(ctx, *ctx.input(x).shape, w);
}

Result<std::optional<SymShape>> infer_convolution_of(InferContext& ctx, const SymShape& data, size_t w) {
  if (!ctx.has_rank(w)) return std::optional<SymShape>();
  const SymShape& filter = *ctx.input(w).shape;
  if (data.size() < 3) return ctx.fail("x has rank {}, at least 3 is wanted", data.size());
  if (filter.size() != data.size()) return ctx.fail("w has rank {}, x has rank {}", filter.size(), data.size());
  const size_t axes = data.size() - 2;
  SDX_ASSIGN(const Steps steps, all_steps(ctx.attributes(), axes));
  SymbolTable& symbols = ctx.symbols();
  const int64_t group = ctx.attr_int("group", 1);
  if (group < 1) return ctx.fail("attribute group is {}, at least 1 is wanted", group);
  if (symbols.equal(data[1], symbols.mul(filter[1], Dim(group))) == Truth::no)
    return ctx.fail("x has {} channels, w wants {} groups of {}", symbols.to_text(data[1]), group,
                    symbols.to_text(filter[1]));
  if (filter[0].is_known() && filter[0].known() % group != 0)
    return ctx.fail("{} output channels do not divide into {} groups", filter[0].known(), group);
  ctx.assume({Constraint::Kind::equal, data[1], symbols.mul(filter[1], Dim(group))});
  ctx.assume({Constraint::Kind::divides, filter[0], Dim(group)});
  const auto given = ctx.attr_ints("kernel_shape");
  if (!given.empty() && given.size() != axes)
    return ctx.fail("attribute kernel_shape has {} values, {} are wanted", given.size(), axes);
  SymShape shape{data[0], filter[0]};
  for (size_t d = 0; d < axes; ++d) {
    const Dim &in = data[d + 2], &kernel = filter[d + 2];
    if (!given.empty() && symbols.equal(kernel, Dim(given[d])) == Truth::no)
      return ctx.fail("kernel_shape[{}] is {}, w has {}", d, given[d], symbols.to_text(kernel));
    if (!given.empty()) ctx.assume({Constraint::Kind::equal, kernel, Dim(given[d])});
    if (steps.auto_pad.starts_with("SAME")) {
      shape.push_back(symbols.ceil_div(in, Dim(steps.strides[d])));
      continue;
    }
    const int64_t pads = steps.auto_pad == "VALID" ? 0 : steps.pads[d] + steps.pads[d + axes];
    const Dim reach = symbols.add(symbols.mul(symbols.sub(kernel, Dim(1)), Dim(steps.dilations[d])), Dim(1));
    const Dim room = symbols.sub(symbols.add(in, Dim(pads)), reach);
    if (room.is_known() && room.known() < 0)
      return ctx.fail("the kernel reaches over {} of axis {}, which has {} with pads", symbols.to_text(reach), d,
                      symbols.to_text(symbols.add(in, Dim(pads))));
    ctx.assume({Constraint::Kind::at_least, room, Dim(0)});
    shape.push_back(symbols.add(symbols.floor_div(room, Dim(steps.strides[d])), Dim(1)));
  }
  return std::optional<SymShape>(std::move(shape));
}

Result<ConvolutionShape> convolution_shape(const Attributes& attributes, std::span<const int64_t> x,
                                           std::span<const int64_t> w) {
  const size_t axes = x.size() - 2;
  SDX_ASSIGN(const Steps steps, all_steps(attributes, axes));
  ConvolutionShape made;
  made.batch = x[0];
  made.channels = x[1];
  made.group = attributes.get_int("group", 1);
  made.filters = w[0];
  made.strides = steps.strides;
  made.dilations = steps.dilations;
  for (size_t d = 0; d < axes; ++d) {
    const int64_t in = x[d + 2], kernel = w[d + 2], stride = steps.strides[d];
    const int64_t reach = (kernel - 1) * steps.dilations[d] + 1;
    made.in.push_back(in);
    made.kernel.push_back(kernel);
    int64_t begin = steps.pads[d], out = 0;
    if (steps.auto_pad.starts_with("SAME")) {
      out = in / stride + (in % stride != 0);
      const int64_t pads = std::max<int64_t>(0, (out - 1) * stride + reach - in);
      begin = steps.auto_pad == "SAME_UPPER" ? pads / 2 : pads - pads / 2;
    } else {
      if (steps.auto_pad == "VALID") begin = 0;
      const int64_t pads = steps.auto_pad == "VALID" ? 0 : steps.pads[d] + steps.pads[d + axes];
      out = (in + pads - reach) / stride + 1;
    }
    made.pads.push_back(begin);
    made.out.push_back(out);
  }
  return made;
}

PlaneShape::PlaneShape(const ConvolutionShape& shape) {
  const size_t axes = shape.in.size();
  const auto pick = [&](const Shape& s, size_t from_end, int64_t otherwise) {
    return from_end <= axes ? s[axes - from_end] : otherwise;
  };
  in_height = pick(shape.in, 2, 1), in_width = pick(shape.in, 1, 1);
  out_height = pick(shape.out, 2, 1), out_width = pick(shape.out, 1, 1);
  kernel_height = pick(shape.kernel, 2, 1), kernel_width = pick(shape.kernel, 1, 1);
  stride_y = pick(shape.strides, 2, 1), stride_x = pick(shape.strides, 1, 1);
  step_y = pick(shape.dilations, 2, 1), step_x = pick(shape.dilations, 1, 1);
  top = pick(shape.pads, 2, 0), left = pick(shape.pads, 1, 0);
}

}  // namespace sdx::ops
