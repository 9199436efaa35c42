// QLinearConv with one to three spatial axes.
#include "ops/quant/qlinear_conv_call.h"

namespace sdx::ops {
namespace {

Status run_qlinear_conv(KernelContext& ctx) {
  SDX_ASSIGN(const QLinearConvCall call, qlinear_conv_call(ctx, ctx.input(0).shape()));
  const auto requantize = requantize_kernel();
  auto* y = ctx.output(0).data<uint8_t>();
  const int64_t pixels = count_of(call.shape.out);
  const size_t step = call.multipliers.size() == 1 ? 0 : 1;
  return run_convolution(ctx, call.shape, call.operands, [&](const FilterSums& made) {
    for (int64_t i = 0; i < made.filters; ++i) {
      const int64_t filter = made.filter + i;
      requantize(made.sums + i * made.row, 0, &call.multipliers[step * static_cast<size_t>(filter)], 0, call.to,
                 y + (made.image * call.shape.filters + filter) * pixels + made.pixel,
                 static_cast<size_t>(made.pixels));
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
