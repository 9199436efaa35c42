// Swish for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct SwishOp {
  float alpha;
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Mul(x, sigmoid_of(d, hn::Mul(x, hn::Set(d, alpha))));
  }
};

void swish_f32(const float* x, float* y, size_t count, ops::Parameters p) { map_unary(x, y, count, SwishOp{p.alpha}); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32With swish_f32() { return SDX_DISPATCH(swish_f32); }

SDX_CPU_KERNELS(swish, {.name = "swish", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                          return run_unary(ctx, swish_f32(), {ctx.attr_float("alpha", 1.0f)});
                        }});

}  // namespace sdx::ops
#endif
