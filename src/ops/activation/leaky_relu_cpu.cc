// LeakyRelu for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct LeakyReluOp {
  float alpha;
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(x, hn::Set(d, alpha)), x);
  }
};

void leaky_relu_f32(const float* x, float* y, size_t count, ops::Parameters p) {
  map_unary(x, y, count, LeakyReluOp{p.alpha});
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32With leaky_relu_f32() { return SDX_DISPATCH(leaky_relu_f32); }

SDX_CPU_KERNELS(leaky_relu, {.name = "leaky_relu", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                               return run_unary(ctx, leaky_relu_f32(), {ctx.attr_float("alpha", 0.01f)});
                             }});

}  // namespace sdx::ops
#endif
