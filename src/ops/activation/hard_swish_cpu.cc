// HardSwish for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct HardSwishOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V line = hn::MulAdd(x, hn::Set(d, 1.0f / 6), hn::Set(d, 0.5f));
    return hn::Mul(x, hn::Min(hn::Max(line, hn::Zero(d)), hn::Set(d, 1.0f)));
  }
};

void hard_swish_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, HardSwishOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32 hard_swish_f32() { return SDX_DISPATCH(hard_swish_f32); }

SDX_CPU_KERNELS(hard_swish, {.name = "hard_swish", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                               return run_unary(ctx, hard_swish_f32());
                             }});

}  // namespace sdx::ops
#endif
