// QLinearGlobalAveragePool with the channels in front.
#include "ops/quant/integer_gemm.h"
#include "ops/quant/qlinear.h"

namespace sdx::ops {
namespace {

Status run_global_pool(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  SDX_ASSIGN(const ScaleAndZero from, scale_and_zero(ctx, 1));
  SDX_ASSIGN(const ScaleAndZero to, scale_and_zero(ctx, 3));
  const int64_t planes = y.count(), pixels = x.count() / planes;
  const bool is_signed = x.dtype() == DType::i8;
  const int64_t zero = (from.zero + (is_signed ? kTurnedShift : 0)) * pixels;
  const float ratio = from.scale / to.scale / static_cast<float>(pixels);
  const int64_t grain = std::max<int64_t>(1, 65536 / std::max<int64_t>(1, pixels));
  return parallel_ranges(ctx, planes, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int32_t sum = 0;
      sum_rows(x.data<uint8_t>() + i * pixels, is_signed ? kTurned : 0, pixels, 1, pixels, &sum);
      const auto exact = static_cast<int64_t>(static_cast<uint32_t>(sum)) - zero;
      store_quantized(y, i, static_cast<float>(exact) * ratio, static_cast<double>(to.zero));
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(qlinear_global_average_pool, {.name = "qlinear_global_average_pool_8",
                                              .can_run =
                                                  [](const NodeFacts& facts) {
                                                    if (facts.attr_int("channels_last", 0) != 0)
                                                      return no("the channels are last");
                                                    const auto shape = facts.input(0).known_shape();
                                                    return !shape || count_range(*shape, 2, shape->size()) <
                                                                         (int64_t{1} << 24)
                                                               ? yes()
                                                               : no("sums may not fit into 32 bits");
                                                  },
                                              .run = run_global_pool});

}  // namespace sdx::ops
