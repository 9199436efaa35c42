// Shrink for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include "base/float_format.h"
#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct ShrinkOp {
  float lambda;
  float bias;
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V threshold = hn::Set(d, lambda), shift = hn::Set(d, bias);
    const V above = hn::IfThenElseZero(hn::Gt(x, threshold), hn::Sub(x, shift));
    return hn::IfThenElse(hn::Lt(x, hn::Neg(threshold)), hn::Add(x, shift), above);
  }
};

void shrink_f32(const float* x, float* y, size_t count, ops::Parameters p) {
  map_unary(x, y, count, ShrinkOp{p.alpha, p.beta});
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

// A sum of 16-bit floats is rounded rightly through float32, one with a float32 number is not.
Verdict can_run_shrink(const NodeFacts& facts) {
  const float bias = facts.attr_float("bias", 0.0f);
  const DType type = facts.dtype(0);
  if (type != DType::f16 && type != DType::bf16) return takes<DType::f32>(facts);
  const auto narrow = type == DType::f16 ? static_cast<float>(f16(bias)) : static_cast<float>(bf16(bias));
  return narrow == bias ? yes() : no("the bias is no number of the input's type");
}

}  // namespace

SDX_CPU_KERNELS(
    shrink,
    {.name = "shrink", .can_run = can_run_shrink, .run = [](KernelContext& ctx) {
       return run_unary(ctx, SDX_DISPATCH(shrink_f32), {ctx.attr_float("lambd", 0.5f), ctx.attr_float("bias", 0.0f)});
     }});

}  // namespace sdx::ops
#endif
