// HardSigmoid for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct HardSigmoidOp {
  float alpha;
  float beta;
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V line = hn::MulAdd(x, hn::Set(d, alpha), hn::Set(d, beta));
    const V y = hn::Min(hn::Max(line, hn::Zero(d)), hn::Set(d, 1.0f));
    return hn::IfThenElse(hn::IsNaN(x), x, y);
  }
};

void hard_sigmoid_f32(const float* x, float* y, size_t count, ops::Parameters p) {
  map_unary(x, y, count, HardSigmoidOp{p.alpha, p.beta});
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32With hard_sigmoid_f32() { return SDX_DISPATCH(hard_sigmoid_f32); }

SDX_CPU_KERNELS(
    hard_sigmoid,
    {.name = "hard_sigmoid", .can_run = takes_floats, .run = [](KernelContext& ctx) {
       return run_unary(ctx, hard_sigmoid_f32(), {ctx.attr_float("alpha", 0.2f), ctx.attr_float("beta", 0.5f)});
     }});

}  // namespace sdx::ops
#endif
