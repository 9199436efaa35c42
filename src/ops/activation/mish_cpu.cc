// Mish for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct MishOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    // With e = e^x, tanh(ln(1 + e)) = e (e + 2) / (e (e + 2) + 2), which is 1 from 20 on.
    const V e = exp_of(d, hn::Min(x, hn::Set(d, 20.0f)));
    const V two = hn::Set(d, 2.0f), product = hn::Mul(e, hn::Add(e, two));
    return hn::Mul(x, hn::Div(product, hn::Add(product, two)));
  }
};

void mish_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, MishOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32 mish_f32() { return SDX_DISPATCH(mish_f32); }

SDX_CPU_KERNELS(mish, {.name = "mish", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                         return run_unary(ctx, mish_f32());
                       }});

}  // namespace sdx::ops
#endif
