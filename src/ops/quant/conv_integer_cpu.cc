// ConvInteger with one to three spatial axes.
#include <cstring>

#include "ops/quant/integer_convolution.h"

namespace sdx::ops {
namespace {

Status run_conv_integer(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &w = ctx.input(1);
  SDX_ASSIGN(const ConvolutionShape shape, convolution_shape(ctx.attributes(), x.shape(), w.shape()));
  if (ctx.has_input(2) && ctx.input(2).count() != 1) return invalid_argument("x_zero_point must be a scalar");
  ConvolutionOperands operands{.x = &x, .x_zero = 0, .w = &w, .w_zeros = {}, .bias = nullptr};
  if (ctx.has_input(2)) operands.x_zero = static_cast<int32_t>(load_i64(ctx.input(2), 0));
  SDX_ASSIGN(operands.w_zeros, filter_zeros(ctx, 3, shape.filters));
  auto* y = ctx.output(0).data<int32_t>();
  const int64_t pixels = count_of(shape.out);
  return run_convolution(ctx, shape, operands, [&](const FilterSums& made) {
    for (int64_t i = 0; i < made.filters; ++i)
      std::memcpy(y + (made.image * shape.filters + made.filter + i) * pixels + made.pixel, made.sums + i * made.row,
                  static_cast<size_t>(made.pixels) * sizeof(int32_t));
  });
}

}  // namespace

SDX_CPU_KERNELS(conv_integer, {.name = "conv_integer_8",
                               .can_run = [](const NodeFacts& facts) { return can_run_convolution(facts, 0, 1); },
                               .prepare = [](const NodeFacts& facts) { return prepare_filters(facts, 1); },
                               .run = run_conv_integer,
                               .packs_inputs = input_bit(1),
                               .scratch_bytes = [](const ScratchFacts& f) { return convolution_scratch(f, 0, 1); },
                               .packed_bytes = [](const NodeFacts& f) { return packed_filter_bytes(f, 1); }});

}  // namespace sdx::ops
