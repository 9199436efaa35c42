// Gelu for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "ops/activation/gelu.h"
#include "ops/elementwise-inl.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct GeluOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Mul(x, normal_cdf(d, x));
  }
};

struct TanhGeluOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    constexpr float kTwice = 1.59576912f;  // 2 sqrt(2 / pi)
    const V scaled = hn::Mul(x, hn::Set(d, kTwice));
    const V z = hn::MulAdd(hn::Mul(scaled, hn::Set(d, 0.044715f)), hn::Mul(x, x), scaled);
    return hn::Mul(x, sigmoid_of(d, z));
  }
};

void gelu_kernel(const float* x, float* y, size_t count) { map_unary(x, y, count, GeluOp()); }
void tanh_gelu_kernel(const float* x, float* y, size_t count) { map_unary(x, y, count, TanhGeluOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32 gelu_f32() { return SDX_DISPATCH(gelu_kernel); }
UnaryF32 tanh_gelu_f32() { return SDX_DISPATCH(tanh_gelu_kernel); }

SDX_CPU_KERNELS(gelu, {.name = "gelu", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                         const bool tanh = ctx.attr_string("approximate", "none") == "tanh";
                         return run_unary(ctx, tanh ? tanh_gelu_f32() : gelu_f32());
                       }});

}  // namespace sdx::ops
#endif
