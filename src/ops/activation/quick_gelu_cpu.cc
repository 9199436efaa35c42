// QuickGelu for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct QuickGeluOp {
  float alpha;
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Mul(x, sigmoid_of(d, hn::Mul(x, hn::Set(d, alpha))));
  }
};

void quick_gelu_f32(const float* x, float* y, size_t count, ops::Parameters p) {
  map_unary(x, y, count, QuickGeluOp{p.alpha});
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32With quick_gelu_f32() { return SDX_DISPATCH(quick_gelu_f32); }

SDX_CPU_KERNELS(quick_gelu, {.name = "quick_gelu", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                               return run_unary(ctx, quick_gelu_f32(), {ctx.attr_float("alpha", 1.702f)});
                             }});

}  // namespace sdx::ops
#endif
