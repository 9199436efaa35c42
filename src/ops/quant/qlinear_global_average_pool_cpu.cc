// QLinearGlobalAveragePool with the channels in front, or last.
#include <algorithm>

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

// Sums of some channels at a time, over all pixels.
Status run_global_pool_last(KernelContext& ctx) {
  constexpr int64_t kAtOnce = 256;
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  SDX_ASSIGN(const ScaleAndZero from, scale_and_zero(ctx, 1));
  SDX_ASSIGN(const ScaleAndZero to, scale_and_zero(ctx, 3));
  const int64_t channels = x.dim(x.rank() - 1), pixels = x.count() / y.count();
  const bool is_signed = x.dtype() == DType::i8;
  const auto zero = static_cast<int32_t>((from.zero + (is_signed ? kTurnedShift : 0)) * pixels);
  const uint8_t turned = is_signed ? kTurned : 0;
  const float ratio = from.scale / to.scale / static_cast<float>(pixels);
  const auto requantize = requantize_kernel();
  const Requantization codes{.zero = static_cast<int32_t>(to.zero), .is_signed = is_signed};
  const int64_t parts = (channels + kAtOnce - 1) / kAtOnce;
  const int64_t grain = std::max<int64_t>(1, 65536 / std::max<int64_t>(1, pixels * kAtOnce));
  return parallel_ranges(ctx, x.dim(0) * parts, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t image = i / parts, first = i % parts * kAtOnce, count = std::min(kAtOnce, channels - first);
      int32_t sums[kAtOnce];
      std::fill(sums, sums + count, -zero);
      const uint8_t* pixel = x.data<uint8_t>() + image * pixels * channels + first;
      for (int64_t p = 0; p < pixels; ++p, pixel += channels)
        for (int64_t c = 0; c < count; ++c) sums[c] += pixel[c] ^ turned;
      requantize(sums, 0, &ratio, 0, codes, y.data<uint8_t>() + image * channels + first, static_cast<size_t>(count));
    }
  });
}

// Channels first (axis 1) or last; sums fit where there are less than so many pixels.
Verdict takes_pool(const NodeFacts& facts, int64_t channels_last, int64_t most_pixels) {
  if ((facts.attr_int("channels_last", 0) != 0) != (channels_last != 0)) return no("the channels are elsewhere");
  const auto shape = facts.input(0).known_shape();
  if (!shape) return yes();
  const size_t first = channels_last != 0 ? 1 : 2;
  return count_range(*shape, first, shape->size() - (channels_last != 0 ? 1 : 0)) < most_pixels
             ? yes()
             : no("sums may not fit into 32 bits");
}

}  // namespace

SDX_CPU_KERNELS(qlinear_global_average_pool,
                {.name = "qlinear_global_average_pool_8",
                 .can_run = [](const NodeFacts& facts) { return takes_pool(facts, 0, int64_t{1} << 24); },
                 .run = run_global_pool},
                {.name = "qlinear_global_average_pool_last_8",
                 .can_run = [](const NodeFacts& facts) { return takes_pool(facts, 1, int64_t{1} << 23); },
                 .run = run_global_pool_last});

}  // namespace sdx::ops
