// Resize over at most three neighbouring axes: nearest for elements of whole bytes, linear and cubic for floats in
// single precision and for doubles and integers in double precision.
#include "ops/image/resize.h"

namespace sdx::ops {
namespace {

bool picks(const Attributes& attributes) { return attributes.get_string("mode", "nearest") == "nearest"; }

Verdict takes_neighbours(const NodeFacts& facts) {
  const DType type = facts.dtype(0);
  if (picks(facts.attributes())) {
    const int bits = bit_width(type);
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? yes() : no("only elements of 1, 2, 4 or 8 bytes");
  }
  switch (type) {
    case DType::f16:
    case DType::bf16:
    case DType::f32:
    case DType::f64:
    case DType::u8:
    case DType::i8:
    case DType::u16:
    case DType::i16:
    case DType::i32: return yes();
    default: return no("only floats, and integers of 8 and 16 bits and i32");
  }
}

Status run_resize(KernelContext& ctx) {
  SDX_ASSIGN(const auto axes, resize_axes(ctx.attributes(), ctx.input(0).shape(), resize_inputs(ctx)));
  const auto layout = resize_layout(ctx.attributes(), axes);
  if (!layout) return resize_reference(ctx);
  if (ctx.output(0).count() == 0) return {};
  return picks(ctx.attributes()) ? resize_picking(ctx, *layout) : resize_interpolating(ctx, *layout);
}

}  // namespace

SDX_CPU_KERNELS(resize, {.name = "resize_neighbours", .can_run = takes_neighbours, .run = run_resize});

}  // namespace sdx::ops
