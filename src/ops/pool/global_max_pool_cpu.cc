// GlobalMaxPool for float32.
#include "ops/elementwise.h"
#include "ops/pool/pooling.h"
#include "ops/reduce/reduction.h"
#include "ops/through_f32.h"

namespace sdx::ops {
Status run_global_max_pool_f32(KernelContext& ctx) {
  const Shape& shape = ctx.input(0).shape();
  const int64_t count = count_range(shape, 2, shape.size());
  const float* x = ctx.input(0).data<float>();
  Tensor& y = ctx.output(0);
  const RowMaxF32 largest = row_max_f32();
  const int64_t grain = std::max<int64_t>(1, 2 * kElementwiseGrain / std::max<int64_t>(count, 1));
  return parallel_ranges(ctx, y.count(), grain, [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane)
      y.data<float>()[plane] = largest(x + plane * count, static_cast<size_t>(count));
  });
}

SDX_CPU_KERNELS(global_max_pool,
                {.name = "global_max_pool_f32", .can_run = takes<DType::f32>, .run = run_global_max_pool_f32},
                {.name = "global_max_pool_half",
                 .can_run = takes_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_global_max_pool_f32); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
