// Round for float32, for 16-bit floats through it, and for float64.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/native_loops.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct RoundOp {
  template <class D, class V>
  HWY_INLINE V operator()(D, V x) const {
    return hn::IfThenElse(hn::IsNaN(x), x, hn::Round(x));
  }
};

void round_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, RoundOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32 round_f32() { return SDX_DISPATCH(round_f32); }

SDX_CPU_KERNELS(round,
                {.name = "round",
                 .can_run = takes_floats,
                 .run = [](KernelContext& ctx) { return run_unary(ctx, round_f32()); }},
                {.name = "round_f64", .can_run = takes<DType::f64>, .run = run_native_map<NativeMap::round>});

}  // namespace sdx::ops
#endif
