// Atanh for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise.h"
#include "ops/trigonometry-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct AtanhOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return atanh_of(d, x);
  }
};

void atanh_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, AtanhOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

SDX_CPU_KERNELS(atanh, {.name = "atanh", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                          return run_unary(ctx, SDX_DISPATCH(atanh_f32));
                        }});

}  // namespace sdx::ops
#endif
