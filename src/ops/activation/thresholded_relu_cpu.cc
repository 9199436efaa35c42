// ThresholdedRelu for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct ThresholdedReluOp {
  float alpha;
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::IfThenElseZero(hn::Gt(x, hn::Set(d, alpha)), x);
  }
};

void thresholded_relu_f32(const float* x, float* y, size_t count, ops::Parameters p) {
  map_unary(x, y, count, ThresholdedReluOp{p.alpha});
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32With thresholded_relu_f32() { return SDX_DISPATCH(thresholded_relu_f32); }

SDX_CPU_KERNELS(thresholded_relu, {.name = "thresholded_relu", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                                     return run_unary(ctx, thresholded_relu_f32(), {ctx.attr_float("alpha", 1.0f)});
                                   }});

}  // namespace sdx::ops
#endif
