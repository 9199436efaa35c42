// Atan for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include <hwy/contrib/math/math-inl.h>

#include "ops/elementwise-inl.h"
#include "ops/elementwise.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct AtanOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::IfThenElse(hn::IsNaN(x), x, hn::Atan(d, x));
  }
};

void atan_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, AtanOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

SDX_CPU_KERNELS(atan, {.name = "atan", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                         return run_unary(ctx, SDX_DISPATCH(atan_f32));
                       }});

}  // namespace sdx::ops
#endif
