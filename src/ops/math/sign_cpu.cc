// Sign for float32, for 16-bit floats through it, for integers and float64.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise.h"
#include "ops/native_loops.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct SignOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V one = hn::CopySign(hn::Set(d, 1.0f), x);
    return hn::IfThenElse(hn::Or(hn::Lt(x, hn::Zero(d)), hn::Gt(x, hn::Zero(d))), one, x);
  }
};

void sign_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, SignOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

SDX_CPU_KERNELS(sign,
                {.name = "sign",
                 .can_run = takes_floats,
                 .run = [](KernelContext& ctx) { return run_unary(ctx, SDX_DISPATCH(sign_f32)); }},
                {.name = "sign_native", .can_run = takes_native_numbers, .run = run_native_map<NativeMap::sign>});

}  // namespace sdx::ops
#endif
