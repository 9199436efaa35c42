// Selu for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct SeluOp {
  float alpha;
  float gamma;
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V below = hn::Mul(hn::Set(d, alpha), expm1_below(d, at_most(hn::Zero(d), x)));
    return hn::Mul(hn::Set(d, gamma), hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, below));
  }
};

void selu_f32(const float* x, float* y, size_t count, ops::Parameters p) {
  map_unary(x, y, count, SeluOp{p.alpha, p.beta});
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

SDX_CPU_KERNELS(selu, {.name = "selu", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                         return run_unary(ctx, SDX_DISPATCH(selu_f32),
                                          {ctx.attr_float("alpha", 1.6732632f), ctx.attr_float("gamma", 1.050701f)});
                       }});

}  // namespace sdx::ops
#endif
