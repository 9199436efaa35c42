// Pad: elements added before and after along each of `axes` (removed where negative). Mode constant fills with
// constant_value, edge repeats the border, reflect mirrors without repeating the border, wrap goes round.
// Removal comes first, so that what is reflected or wrapped is what is left.
#include "ops/shape/pad.h"

#include "ops/reference.h"
#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

Status check_mode(std::string_view mode) {
  if (mode == "constant" || mode == "reflect" || mode == "edge" || mode == "wrap") return {};
  return invalid_argument("mode is \"{}\", not constant, reflect, edge or wrap", mode);
}

constexpr int64_t kLargestPad = int64_t{1} << 48;  // sums of sizes and pads stay far from overflow

Result<Facts> infer_pad(InferContext& ctx) {
  const Fact& data = ctx.input(0);
  SDX_TRY(check_mode(ctx.attr_string("mode", "constant")));
  if (!data.has_rank()) return tensor_fact(data.dtype, std::nullopt);
  const int rank = data.rank();
  Shape axes = all_axes(rank);
  if (ctx.has_input(3)) {
    const auto known = ctx.known_elements(3);
    if (!known) {
      ctx.leave_to_run();
      return tensor_fact(data.dtype, ctx.unknown_shape(rank));
    }
    SDX_ASSIGN(axes, unique_axes(*known, rank));
  }
  const auto pads = ctx.elements(1);
  if (!pads) return tensor_fact(data.dtype, ctx.unknown_shape(rank));
  if (pads->size() != 2 * axes.size()) return ctx.fail("pads has {} elements for {} axes", pads->size(), axes.size());
  if (ctx.has_input(2) && ctx.has_rank(2)) {
    const Dim count = ctx.element_count(2);
    if (ctx.symbols().equal(count, Dim(1)) == Truth::no) return ctx.fail("constant_value is no scalar");
    ctx.assume({Constraint::Kind::equal, count, Dim(1)});
  }
  SymShape shape = *data.shape;
  const bool constant = ctx.attr_string("mode", "constant") == "constant";
  for (size_t i = 0; i < axes.size(); ++i) {
    const Dim &before = (*pads)[i], &after = (*pads)[i + axes.size()];
    Dim& dim = shape[static_cast<size_t>(axes[i])];
    const Dim size = dim;
    for (const Dim* pad : {&before, &after})
      if (pad->is_known() && (pad->known() < -kLargestPad || pad->known() > kLargestPad))
        return ctx.fail("axis {} is padded by {}, at most {} is taken", axes[i], pad->known(), kLargestPad);
    for (const Dim* pad : {&before, &after}) {
      ctx.assume({Constraint::Kind::at_least, Dim(kLargestPad), *pad});
      ctx.assume({Constraint::Kind::at_least, *pad, Dim(-kLargestPad)});
    }
    dim = ctx.symbols().add(ctx.symbols().add(dim, before), after);
    if (dim.is_known() && dim.known() < 0) return ctx.fail("axis {} would have {} elements", axes[i], dim.known());
    if (!constant && size.is_known() && before.is_known() && after.is_known()) {
      // Nothing is left to repeat.
      const int64_t kept = size.known() + std::min<int64_t>(before.known(), 0) + std::min<int64_t>(after.known(), 0);
      if (kept <= 0 && dim.known() > 0) return ctx.fail("axis {} has no element to repeat", axes[i]);
    } else if (!constant) {
      SymbolTable& symbols = ctx.symbols();
      const Dim kept = symbols.add(size, symbols.add(symbols.min(before, Dim(0)), symbols.min(after, Dim(0))));
      // Or nothing is asked for.
      ctx.assume({Constraint::Kind::at_least, symbols.max(kept, symbols.sub(Dim(1), dim)), Dim(1)});
    }
    dim = ctx.size_of(dim);
  }
  return tensor_fact(data.dtype, std::move(shape));
}

int64_t positive_modulo(int64_t a, int64_t b) { return (a % b + b) % b; }

// Writes dimension `axis` and those inside it, of the slice of data that begins at `at`.
struct PadWriter {
  const Tensor& data;
  const Tensor& fill;
  Shape strides, out_strides;
  std::vector<Shape> from;
  ElementWriter& writer;

  void write(size_t axis, int64_t at) {
    const Shape& own = from[axis];
    if (axis + 1 < from.size()) {
      for (const int64_t source : own) {
        if (source < 0) {
          writer.repeat(fill, 0, out_strides[axis]);
        } else {
          write(axis + 1, at + source * strides[axis]);
        }
      }
      return;
    }
    for (size_t i = 0; i < own.size();) {
      size_t end = i + 1;
      const bool filled = own[i] < 0;
      while (end < own.size() && (filled ? own[end] < 0 : own[end] == own[end - 1] + 1)) ++end;
      const auto run = static_cast<int64_t>(end - i);
      if (filled) {
        writer.repeat(fill, 0, run);
      } else {
        writer.append(data, at + own[i], run);
      }
      i = end;
    }
  }
};

Status pad_reference(KernelContext& ctx) {
  const Tensor& data = ctx.input(0);
  const std::string_view mode = ctx.attr_string("mode", "constant");
  const Padding padding = padding_of(ctx);
  SDX_ASSIGN(const Tensor zero, zero_element(data.dtype()));
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, ctx.output_shape(0)));
  PadWriter pad{data, ctx.has_input(2) ? ctx.input(2) : zero, row_major_strides(data.shape()), Shape(), {}, writer};
  pad.out_strides = row_major_strides(ctx.output_shape(0));
  if (count_of(ctx.output_shape(0)) == 0) return writer.finish();
  if (data.rank() == 0) {
    writer.append(data, 0);
    return writer.finish();
  }
  for (size_t i = 0; i < padding.before.size(); ++i)
    pad.from.push_back(pad_sources(data.shape()[i], padding.before[i], padding.after[i], mode));
  pad.write(0, 0);
  return writer.finish();
}

// Opset 1 called the pads paddings.
Status pad_1_to_2(UpgradeContext& ctx) {
  if (const auto* pads = ctx.attributes().get<std::vector<int64_t>>("paddings")) {
    std::vector<int64_t> copy = *pads;
    ctx.attributes().remove("paddings");
    ctx.attributes().set("pads", std::move(copy));
  }
  return {};
}

// Up to opset 10 pads and the value were attributes.
Status pad_2_to_11(UpgradeContext& ctx) {
  ctx.attribute_to_input("pads", 1);
  const float value = ctx.attributes().get_float("value", 0);
  ctx.attributes().remove("value");
  const DType type = ctx.fact(0).dtype == DType::undefined ? DType::f32 : ctx.fact(0).dtype;
  if (value != 0) ctx.set_input(2, ctx.scalar(type, value));
  return {};
}

}  // namespace

Shape pad_sources(int64_t size, int64_t before, int64_t after, std::string_view mode) {
  const int64_t first = std::max<int64_t>(-before, 0);
  const int64_t kept = size - first - std::max<int64_t>(-after, 0);
  Shape from;
  from.reserve(static_cast<size_t>(std::max<int64_t>(0, size + before + after)));
  for (int64_t i = 0; i < size + before + after; ++i) {
    int64_t at = i - std::max<int64_t>(before, 0);  // among those kept
    if (at < 0 || at >= kept) {
      if (mode == "constant") {
        from.push_back(-1);
        continue;
      }
      if (mode == "edge") at = std::clamp<int64_t>(at, 0, kept - 1);
      if (mode == "wrap") at = positive_modulo(at, kept);
      if (mode == "reflect") {
        at = kept == 1 ? 0 : positive_modulo(at, 2 * (kept - 1));
        if (at >= kept) at = 2 * (kept - 1) - at;
      }
    }
    from.push_back(first + at);
  }
  return from;
}

Padding padding_of(const KernelContext& ctx) {
  const auto rank = static_cast<int64_t>(ctx.input(0).rank());
  const Shape axes = ctx.has_input(3) ? read_ints(ctx.input(3)) : all_axes(rank);
  const Shape pads = read_ints(ctx.input(1));
  Padding padding{Shape(static_cast<size_t>(rank)), Shape(static_cast<size_t>(rank))};
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<size_t>(*normalize_axis(axes[i], rank));
    padding.before[axis] = pads[i];
    padding.after[axis] = pads[i + axes.size()];
  }
  return padding;
}

SDX_OP(pad) = {
    .name = "Pad",
    .since = 25,
    .infer = infer_pad,
    .reference = pad_reference,
    .upgrades = {{1, pad_1_to_2}, {2, pad_2_to_11}},
    .records_constraints = true,
    .needs_values = input_bit(1) | input_bit(3),
};

}  // namespace sdx::ops
