// Exp for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct ExpOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return exp_of(d, x);
  }
};

void exp_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, ExpOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32 exp_f32() { return SDX_DISPATCH(exp_f32); }

SDX_CPU_KERNELS(exp, {.name = "exp", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                        return run_unary(ctx, exp_f32());
                      }});

}  // namespace sdx::ops
#endif
