// SwiGLU for float32.
#include "base/simd_targets.h"  // first

#include "ops/elementwise.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

void swiglu_f32(const float* a, const float* b, float* y, size_t count, float alpha) {
  const hn::ScalableTag<float> d;
  const auto factor = hn::Set(d, alpha);
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto gate = load_n(d, a + i, count - i);
    const auto swish = hn::Mul(gate, sigmoid_of(d, hn::Mul(gate, factor)));
    store_n(hn::Mul(swish, load_n(d, b + i, count - i)), d, y + i, count - i);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

Status run_swiglu(KernelContext& ctx) {
  const float alpha = ctx.attr_float("alpha", 1.0f);
  const float *a = ctx.input(0).data<float>(), *b = ctx.input(1).data<float>();
  float* y = ctx.output(0).data<float>();
  const auto kernel = SDX_DISPATCH(swiglu_f32);
  return parallel_ranges(ctx, ctx.output(0).count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    kernel(a + begin, b + begin, y + begin, static_cast<size_t>(end - begin), alpha);
  });
}

}  // namespace

SDX_CPU_KERNELS(swiglu, {.name = "swiglu_f32", .can_run = takes<DType::f32>, .run = run_swiglu});

}  // namespace sdx::ops
#endif
