// Exp for float32.
#include "base/simd_targets.h"  // first

#include <hwy/contrib/math/math-inl.h>

#include "ops/elementwise-inl.h"
#include "ops/elementwise.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct ExpOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    // Highway's Exp is for finite arguments: the ends and NaN are put right here.
    const auto inside = hn::Exp(d, hn::Min(hn::Max(x, hn::Set(d, -104.0f)), hn::Set(d, 88.72f)));
    const auto top = hn::IfThenElse(hn::Gt(x, hn::Set(d, 88.7228f)), hn::Set(d, HUGE_VALF), inside);
    const auto bottom = hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -104.0f)), top);
    return hn::IfThenElse(hn::IsNaN(x), x, bottom);
  }
};

void exp_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, ExpOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

SDX_CPU_KERNELS(exp, {.name = "exp_f32", .can_run = takes<DType::f32>, .run = [](KernelContext& ctx) {
                        return run_unary_f32(ctx, SDX_DISPATCH(exp_f32));
                      }});

}  // namespace sdx::ops
#endif
