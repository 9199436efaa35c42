// Sin for float32, and for 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include <hwy/contrib/math/math-inl.h>

#include "ops/elementwise-inl.h"
#include "ops/elementwise_maps.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// Highway's Sin loses the angle beyond this: such arguments, infinities and NaN go one by one.
constexpr float kLargest = 30000.0f;

struct SinOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const auto inside = hn::Lt(hn::Abs(x), hn::Set(d, kLargest));
    const V y = hn::Sin(d, hn::IfThenElseZero(inside, x));
    if (HWY_LIKELY(hn::AllTrue(d, inside))) return y;
    HWY_ALIGN float arguments[hn::MaxLanes(D())], results[hn::MaxLanes(D())];
    hn::Store(x, d, arguments);
    for (size_t i = 0; i < hn::Lanes(d); ++i)
      results[i] = static_cast<float>(std::sin(static_cast<double>(arguments[i])));
    return hn::IfThenElse(inside, y, hn::Load(d, results));
  }
};

void sin_f32(const float* x, float* y, size_t count) { map_unary(x, y, count, SinOp()); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

UnaryF32 sin_f32() { return SDX_DISPATCH(sin_f32); }

SDX_CPU_KERNELS(sin, {.name = "sin", .can_run = takes_floats, .run = [](KernelContext& ctx) {
                        return run_unary(ctx, sin_f32());
                      }});

}  // namespace sdx::ops
#endif
