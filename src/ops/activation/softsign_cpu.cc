// Softsign for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct SoftsignOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Div(x, hn::Add(hn::Set(d, 1.0f), hn::Abs(x)));
  }
};

void softsign_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, SoftsignOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32 softsign_f32() { return SDX_DISPATCH(softsign_f32); }

SDX_CPU_KERNELS(softsign, {.name = "softsign", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                             return run_unary(ctx, softsign_f32());
                           }});

}  // namespace sdx::ops
#endif
