// Reciprocal for float32, for 16-bit floats through it, and for float64.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/native_loops.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct ReciprocalOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Div(hn::Set(d, 1.0f), x);
  }
};

void reciprocal_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, ReciprocalOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32 reciprocal_f32() { return SDX_DISPATCH(reciprocal_f32); }

SDX_CPU_KERNELS(reciprocal,
                {.name = "reciprocal",
                 .can_run = takes_floats,
                 .run = [](KernelContext& ctx) { return run_unary(ctx, reciprocal_f32()); }},
                {.name = "reciprocal_f64", .can_run = takes<DType::f64>, .run = run_native_map<NativeMap::reciprocal>});

}  // namespace sdx::ops
#endif
