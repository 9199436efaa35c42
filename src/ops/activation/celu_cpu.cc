// Celu for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct CeluOp {
  float alpha;
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V scale = hn::Set(d, alpha);
    const V below = hn::Mul(scale, expm1_below(d, at_most(hn::Zero(d), hn::Div(x, scale))));
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), below, x);
  }
};

void celu_f32(const float* x, float* y, size_t count, ops::Parameters p) { map_unary(x, y, count, CeluOp{p.alpha}); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

// A negative alpha makes large exponents, which a quotient of float32 is too coarse for.
Verdict can_run_celu(const NodeFacts& facts) {
  return facts.attr_float("alpha", 1.0f) > 0 ? takes_floats(facts) : no("only a positive alpha");
}

}  // namespace

SDX_CPU_KERNELS(celu, {.name = "celu", .can_run = can_run_celu, .run = [](KernelContext& ctx) {
                         return run_unary(ctx, SDX_DISPATCH(celu_f32), {ctx.attr_float("alpha", 1.0f)});
                       }});

}  // namespace sdx::ops
#endif
