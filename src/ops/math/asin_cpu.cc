// Asin for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include <cmath>

#include <hwy/contrib/math/math-inl.h>

#include "ops/elementwise-inl.h"
#include "ops/elementwise.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct AsinOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::IfThenElse(hn::Le(hn::Abs(x), hn::Set(d, 1.0f)), hn::Asin(d, x), hn::Set(d, NAN));
  }
};

void asin_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, AsinOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

SDX_CPU_KERNELS(asin, {.name = "asin", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                         return run_unary(ctx, SDX_DISPATCH(asin_f32));
                       }});

}  // namespace sdx::ops
#endif
