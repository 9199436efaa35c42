// Floats times one number.
#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/scale_floats.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

void scale_floats(const std::byte* from, double by, float* to, size_t count) {
  const hn::ScalableTag<double> wide;
  const hn::Rebind<float, decltype(wide)> d;
  const size_t lanes = hn::Lanes(wide);
  const auto* x = reinterpret_cast<const float*>(from);
  const auto factor = hn::Set(wide, by);
  for (size_t i = 0; i < count; i += lanes) {
    const auto value = hn::PromoteTo(wide, load_n(d, x + i, count - i));
    store_n(hn::DemoteTo(d, hn::Mul(value, factor)), d, to + i, count - i);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

void scale_floats(const std::byte* from, double by, float* to, size_t count) {
  SDX_DISPATCH(scale_floats)(from, by, to, count);
}

}  // namespace sdx::ops
#endif
