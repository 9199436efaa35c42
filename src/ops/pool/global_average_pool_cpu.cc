// GlobalAveragePool for float32.
#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/elementwise.h"
#include "ops/pool/pooling.h"
#include "ops/through_f32.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

float mean_f32(const float* x, int64_t count) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  auto a = hn::Zero(d), b = hn::Zero(d), c = hn::Zero(d), e = hn::Zero(d);
  int64_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    a = hn::Add(a, hn::LoadU(d, x + i));
    b = hn::Add(b, hn::LoadU(d, x + i + lanes));
    c = hn::Add(c, hn::LoadU(d, x + i + 2 * lanes));
    e = hn::Add(e, hn::LoadU(d, x + i + 3 * lanes));
  }
  for (; i < count; i += lanes) a = hn::Add(a, load_n(d, x + i, static_cast<size_t>(count - i)));
  const auto sum = hn::Add(hn::Add(a, b), hn::Add(c, e));
  return hn::GetLane(hn::SumOfLanes(d, sum)) / static_cast<float>(count);
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

Status run_global_average_pool_f32(KernelContext& ctx) {
  const Shape& shape = ctx.input(0).shape();
  const int64_t count = count_range(shape, 2, shape.size());
  const float* x = ctx.input(0).data<float>();
  float* y = ctx.output(0).data<float>();
  const auto mean = SDX_DISPATCH(mean_f32);
  const int64_t grain = std::max<int64_t>(1, 2 * kElementwiseGrain / std::max<int64_t>(count, 1));
  return parallel_ranges(ctx, ctx.output(0).count(), grain, [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) y[plane] = mean(x + plane * count, count);
  });
}

SDX_CPU_KERNELS(global_average_pool,
                {.name = "global_average_pool_f32", .can_run = takes<DType::f32>, .run = run_global_average_pool_f32},
                {.name = "global_average_pool_half",
                 .can_run = takes_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_global_average_pool_f32); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
#endif
