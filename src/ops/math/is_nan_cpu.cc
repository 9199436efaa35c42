// IsNaN for float32.
#include "ops/elementwise.h"

namespace sdx::ops {
namespace {

Status run_is_nan_f32(KernelContext& ctx) {
  const float* x = ctx.input(0).data<float>();
  bool* y = ctx.output(0).data<bool>();
  return parallel_ranges(ctx, ctx.input(0).count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] = x[i] != x[i];
  });
}

}  // namespace

SDX_CPU_KERNELS(is_nan, {.name = "is_nan_f32", .can_run = takes<DType::f32>, .run = run_is_nan_f32});

}  // namespace sdx::ops
