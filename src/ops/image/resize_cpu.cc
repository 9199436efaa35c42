// Resize over at most three neighbouring axes: nearest for elements of whole bytes, linear and cubic for floats of 16
// and 32 bits and for integers of 8.
#include "ops/image/resize.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

bool picks(const Attributes& attributes) { return attributes.get_string("mode", "nearest") == "nearest"; }

Verdict takes_neighbours(const NodeFacts& facts) {
  const DType type = facts.dtype(0);
  if (picks(facts.attributes())) {
    const int bits = bit_width(type);
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? yes() : no("only elements of 1, 2, 4 or 8 bytes");
  }
  const bool taken = type == DType::f32 || is_half(type) || type == DType::u8 || type == DType::i8;
  return taken ? yes() : no("only f32, f16, bf16, u8 and i8");
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
