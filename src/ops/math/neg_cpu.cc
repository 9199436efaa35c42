// Neg for float32, for 16-bit floats through it, for integers and float64.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/native_loops.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct NegOp {
  template <class D, class V>
  HWY_INLINE V operator()(D, V x) const {
    return hn::Neg(x);
  }
};

void neg_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, NegOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32 neg_f32() { return SDX_DISPATCH(neg_f32); }

SDX_CPU_KERNELS(
    neg, {.name = "neg", .can_run = takes_floats, .run = [](KernelContext& ctx) { return run_unary(ctx, neg_f32()); }},
    {.name = "neg_native", .can_run = takes_native_numbers, .run = run_native_map<NativeMap::negate>});

}  // namespace sdx::ops
#endif
