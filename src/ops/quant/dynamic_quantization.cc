#include "ops/quant/dynamic_quantization.h"

#include "ops/elementwise.h"
#include "ops/quant/quantize_kernels.h"

namespace sdx::ops {

Result<DynamicScale> dynamic_scale_of(KernelContext& ctx, const float* x, int64_t count) {
  const int64_t blocks = (count + kElementwiseGrain - 1) / kElementwiseGrain;
  std::vector<float> lows(static_cast<size_t>(blocks), 0.0f), highs(static_cast<size_t>(blocks), 0.0f);
  const auto range = range_kernel();
  SDX_TRY(parallel_ranges(ctx, count, kElementwiseGrain, [&](int64_t begin, int64_t end) {
    const auto block = static_cast<size_t>(begin / kElementwiseGrain);
    range(x + begin, static_cast<size_t>(end - begin), &lows[block], &highs[block]);
  }));
  float low = 0, high = 0;
  for (const float v : lows) low = std::min(low, v);
  for (const float v : highs) high = std::max(high, v);
  return dynamic_scale(low, high);
}

Status quantize_dynamic(KernelContext& ctx, const float* x, int64_t count, const DynamicScale& to, uint8_t* y) {
  const auto kernel = quantize_row_kernel();
  const int32_t zero = to.zero_point;
  return parallel_ranges(ctx, count, kElementwiseGrain, [&](int64_t begin, int64_t end) {
    kernel(x + begin, {&to.scale, &zero, 0}, {}, y + begin, static_cast<size_t>(end - begin));
  });
}

}  // namespace sdx::ops
