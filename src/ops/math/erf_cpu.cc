// Erf for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct ErfOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return erf_of(d, x);
  }
};

void erf_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, ErfOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32 erf_f32() { return SDX_DISPATCH(erf_f32); }

SDX_CPU_KERNELS(erf, {.name = "erf", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                        return run_unary(ctx, erf_f32());
                      }});

}  // namespace sdx::ops
#endif
