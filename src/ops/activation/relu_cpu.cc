// Relu for float32, for 16-bit floats through it, for integers and float64.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"
#include "ops/native_loops.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct ReluOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(d)), x);
  }
};

void relu_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, ReluOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32 relu_f32() { return SDX_DISPATCH(relu_f32); }

SDX_CPU_KERNELS(relu,
                {.name = "relu",
                 .can_run = takes_floats,
                 .run = [](KernelContext& ctx) { return run_unary(ctx, relu_f32()); }},
                {.name = "relu_native", .can_run = takes_native_numbers, .run = run_native_map<NativeMap::relu>});

}  // namespace sdx::ops
#endif
