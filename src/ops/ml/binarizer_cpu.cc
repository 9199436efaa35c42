// Binarizer for float32.
#include "ops/elementwise.h"

namespace sdx::ops {
namespace {

Status run_binarizer_f32(KernelContext& ctx) {
  const float threshold = ctx.attr_float("threshold", 0);
  const float* x = ctx.input(0).data<float>();
  float* y = ctx.output(0).data<float>();
  return parallel_ranges(ctx, ctx.input(0).count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] = static_cast<float>(x[i] > threshold);
  });
}

}  // namespace

SDX_CPU_KERNELS(binarizer, {.name = "binarizer_f32", .can_run = takes<DType::f32>, .run = run_binarizer_f32});

}  // namespace sdx::ops
