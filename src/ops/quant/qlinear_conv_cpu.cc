// QLinearConv with one or two spatial axes.
#include "ops/quant/integer_convolution.h"
#include "ops/quant/integer_gemm.h"

namespace sdx::ops {
namespace {

Status run_qlinear_conv(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &w = ctx.input(3), &w_scale = ctx.input(4);
  SDX_ASSIGN(const ConvolutionShape shape, convolution_shape(ctx.attributes(), x.shape(), w.shape()));
  for (const size_t i : {1, 2, 6, 7})
    if (ctx.input(i).count() != 1) return invalid_argument("input {} must be a scalar", i);
  if (w_scale.count() != 1 && w_scale.count() != shape.filters)
    return invalid_argument("w_scale has {} values, 1 or {} are wanted", w_scale.count(), shape.filters);
  if (ctx.has_input(8) && ctx.input(8).count() != shape.filters)
    return invalid_argument("the bias has {} values, {} are wanted", ctx.input(8).count(), shape.filters);
  ConvolutionOperands operands{.x = &x,
                               .x_zero = static_cast<int32_t>(load_i64(ctx.input(2), 0)),
                               .w = &w,
                               .w_zeros = {},
                               .bias = ctx.has_input(8) ? ctx.input(8).data<int32_t>() : nullptr};
  SDX_ASSIGN(operands.w_zeros, filter_zeros(ctx, 5, shape.filters));
  std::vector<float> multipliers;
  for (int64_t i = 0; i < w_scale.count(); ++i)
    multipliers.push_back(ctx.input(1).data<float>()[0] * w_scale.data<float>()[i] / ctx.input(6).data<float>()[0]);
  const Requantization to{.zero = static_cast<int32_t>(load_i64(ctx.input(7), 0)),
                          .is_signed = ctx.input(7).dtype() == DType::i8};
  const auto requantize = requantize_kernel();
  auto* y = ctx.output(0).data<uint8_t>();
  const int64_t pixels = count_of(shape.out);
  const size_t step = multipliers.size() == 1 ? 0 : 1;
  return run_convolution(ctx, shape, operands, [&](const FilterSums& made) {
    for (int64_t i = 0; i < made.filters; ++i) {
      const int64_t filter = made.filter + i;
      requantize(made.sums + i * made.row, 0, &multipliers[step * static_cast<size_t>(filter)], 0, to,
                 y + (made.image * shape.filters + filter) * pixels + made.pixel, static_cast<size_t>(made.pixels));
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(qlinear_conv, {.name = "qlinear_conv_8",
                               .can_run = [](const NodeFacts& facts) { return can_run_convolution(facts, 0, 3); },
                               .prepare = [](const NodeFacts& facts) { return prepare_filters(facts, 3); },
                               .run = run_qlinear_conv,
                               .packs_inputs = input_bit(3),
                               .scratch_bytes = [](const ScratchFacts& f) { return convolution_scratch(f, 0, 3); },
                               .packed_bytes = [](const NodeFacts& f) { return packed_filter_bytes(f, 3); }});

}  // namespace sdx::ops
