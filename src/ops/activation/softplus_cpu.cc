// Softplus for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct SoftplusOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return softplus_of(d, x);
  }
};

void softplus_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, SoftplusOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32 softplus_f32() { return SDX_DISPATCH(softplus_f32); }

SDX_CPU_KERNELS(softplus, {.name = "softplus", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                             return run_unary(ctx, softplus_f32());
                           }});

}  // namespace sdx::ops
#endif
