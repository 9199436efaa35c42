// Floor for float32, for 16-bit floats through it, and for float64.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/native_loops.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct FloorOp {
  template <class D, class V>
  HWY_INLINE V operator()(D, V x) const {
    return hn::IfThenElse(hn::IsNaN(x), x, hn::Floor(x));
  }
};

void floor_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, FloorOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32 floor_f32() { return SDX_DISPATCH(floor_f32); }

SDX_CPU_KERNELS(floor,
                {.name = "floor",
                 .can_run = takes_floats,
                 .run = [](KernelContext& ctx) { return run_unary(ctx, floor_f32()); }},
                {.name = "floor_f64", .can_run = takes<DType::f64>, .run = run_native_map<NativeMap::floor>});

}  // namespace sdx::ops
#endif
