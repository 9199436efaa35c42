// Sqrt for float32, for 16-bit floats through it, and for float64.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/native_loops.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct SqrtOp {
  template <class D, class V>
  HWY_INLINE V operator()(D, V x) const {
    return hn::Sqrt(x);
  }
};

void sqrt_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, SqrtOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32 sqrt_f32() { return SDX_DISPATCH(sqrt_f32); }

SDX_CPU_KERNELS(sqrt,
                {.name = "sqrt",
                 .can_run = takes_floats,
                 .run = [](KernelContext& ctx) { return run_unary(ctx, sqrt_f32()); }},
                {.name = "sqrt_f64", .can_run = takes<DType::f64>, .run = run_native_map<NativeMap::square_root>});

}  // namespace sdx::ops
#endif
