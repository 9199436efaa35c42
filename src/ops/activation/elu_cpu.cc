// Elu for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct EluOp {
  float alpha;
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V below = hn::Mul(hn::Set(d, alpha), expm1_below(d, at_most(hn::Zero(d), x)));
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), below, x);
  }
};

void elu_f32(const float* x, float* y, size_t count, ops::Parameters p) { map_unary(x, y, count, EluOp{p.alpha}); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

SDX_CPU_KERNELS(elu, {.name = "elu", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                        return run_unary(ctx, SDX_DISPATCH(elu_f32), {ctx.attr_float("alpha", 1.0f)});
                      }});

}  // namespace sdx::ops
#endif
