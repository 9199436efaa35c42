// Abs for float32, for 16-bit floats through it, for integers and float64.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/native_loops.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct AbsOp {
  template <class D, class V>
  HWY_INLINE V operator()(D, V x) const {
    return hn::Abs(x);
  }
};

void abs_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, AbsOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32 abs_f32() { return SDX_DISPATCH(abs_f32); }

SDX_CPU_KERNELS(
    abs, {.name = "abs", .can_run = takes_floats, .run = [](KernelContext& ctx) { return run_unary(ctx, abs_f32()); }},
    {.name = "abs_native", .can_run = takes_native_numbers, .run = run_native_map<NativeMap::absolute>});

}  // namespace sdx::ops
#endif
