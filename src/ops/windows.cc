#include "ops/windows.h"

namespace sdx::ops {
namespace {

constexpr int64_t kLargestAttribute = int64_t{1} << 31;  // keeps every product of two inside int64

// A list attribute with `count` entries in [smallest, 2^31), or `otherwise` everywhere when absent.
Result<Shape> read_list(const Attributes& attributes, std::string_view name, size_t count, int64_t otherwise,
                        int64_t smallest) {
  const auto given = attributes.get_ints(name);
  if (given.empty() && !attributes.has(name)) return Shape(count, otherwise);
  if (given.size() != count)
    return invalid_argument("{} has {} entries; {} are wanted, as kernel_shape and the input's rank have it", name,
                            given.size(), count);
  for (const int64_t v : given)
    if (v < smallest || v >= kLargestAttribute)
      return invalid_argument("{} holds {}; at least {} is wanted", name, v, smallest);
  return Shape(given);
}

int64_t same_padding(const WindowAttributes& w, size_t axis, int64_t in, int64_t out) {
  return std::max<int64_t>(0, (out - 1) * w.strides[axis] + w.span(axis) - in);
}

}  // namespace

Result<WindowAttributes> read_windows(const Attributes& attributes, size_t axes, std::span<const int64_t> kernel) {
  WindowAttributes w;
  const bool has_kernel = attributes.has("kernel_shape");
  if (!has_kernel && kernel.empty() && axes > 0) return invalid_argument("attribute kernel_shape is missing");
  SDX_ASSIGN(w.kernel, read_list(attributes, "kernel_shape", axes, 1, 1));
  if (!kernel.empty()) {
    if (has_kernel && !(w.kernel == Shape(kernel)))
      return invalid_argument("kernel_shape is {} but the weights have {}", to_text(w.kernel), to_text(kernel));
    w.kernel = Shape(kernel);
  }
  SDX_ASSIGN(w.strides, read_list(attributes, "strides", axes, 1, 1));
  SDX_ASSIGN(w.dilations, read_list(attributes, "dilations", axes, 1, 1));
  w.begin = w.end = Shape(axes, 0);
  const auto pad = attributes.get_string("auto_pad", "NOTSET");
  using Pad = WindowAttributes::Pad;
  if (pad == "SAME_UPPER") {
    w.pad = Pad::same_upper;
  } else if (pad == "SAME_LOWER") {
    w.pad = Pad::same_lower;
  } else if (pad == "VALID") {
    w.pad = Pad::valid;
  } else if (pad == "NOTSET" || pad.empty()) {
    SDX_ASSIGN(const Shape pads, read_list(attributes, "pads", 2 * axes, 0, 0));
    for (size_t axis = 0; axis < axes; ++axis) {
      w.begin[axis] = pads[axis];
      w.end[axis] = pads[axes + axis];
    }
  } else {
    return invalid_argument("auto_pad is \"{}\"; NOTSET, SAME_UPPER, SAME_LOWER or VALID is wanted", pad);
  }
  if (attributes.get_int("ceil_mode", 0) != 0) w.ceil = Ceil::yes;
  return w;
}

// ceil_mode counts a last window that begins inside the input or its left padding, never one in the right padding.
Result<Dim> infer_windows(InferContext& ctx, const WindowAttributes& w, size_t axis, const Dim& input) {
  SymbolTable& symbols = ctx.symbols();
  const Dim stride(w.strides[axis]);
  if (w.pad == WindowAttributes::Pad::same_upper || w.pad == WindowAttributes::Pad::same_lower)
    return symbols.ceil_div(input, stride);
  if (input.is(0)) return Dim(0);
  const Dim room = symbols.add(input, Dim(w.begin[axis] + w.end[axis] - w.span(axis)));
  if (room.is_known() && room.known() < 0)
    return ctx.fail("the kernel spans {} elements of spatial axis {}, the padded input has {}", w.span(axis), axis,
                    room.known() + w.span(axis));
  // The span fits, and there is an element at all: padding alone makes no window.
  const int64_t least = std::max<int64_t>(1, w.span(axis) - w.begin[axis] - w.end[axis]);
  ctx.assume({Constraint::Kind::at_least, input, Dim(least)});
  if (w.ceil == Ceil::no || w.pad == WindowAttributes::Pad::valid)
    return symbols.add(symbols.floor_div(room, stride), Dim(1));
  return symbols.min(symbols.add(symbols.ceil_div(room, stride), Dim(1)),
                     symbols.ceil_div(symbols.add(input, Dim(w.begin[axis])), stride));
}

Windows resolve_windows(const WindowAttributes& w, std::span<const int64_t> in, std::span<const int64_t> out) {
  Windows windows{.in = Shape(in),
                  .out = Shape(out),
                  .kernel = w.kernel,
                  .strides = w.strides,
                  .dilations = w.dilations,
                  .begin = w.begin,
                  .end = w.end};
  const bool padding_is_found =
      w.pad == WindowAttributes::Pad::same_upper || w.pad == WindowAttributes::Pad::same_lower;
  for (size_t axis = 0; axis < in.size(); ++axis) {
    const int64_t padding = same_padding(w, axis, in[axis], out[axis]);
    if (w.pad == WindowAttributes::Pad::same_upper) windows.begin[axis] = padding / 2;
    if (w.pad == WindowAttributes::Pad::same_lower) windows.begin[axis] = padding - padding / 2;
    if (padding_is_found) windows.end[axis] = padding - windows.begin[axis];
  }
  return windows;
}

bool next_position(Shape& position, std::span<const int64_t> sizes) {
  for (size_t axis = sizes.size(); axis-- > 0;) {
    if (++position[axis] < sizes[axis]) return true;
    position[axis] = 0;
  }
  return false;
}

}  // namespace sdx::ops
