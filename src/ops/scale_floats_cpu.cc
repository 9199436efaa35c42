// Floats times one number.
#include "base/simd_targets.h"  // first

#include <cstring>

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
  const auto scaled = [&](const float* some) HWY_ATTR {
    return hn::DemoteTo(d, hn::Mul(hn::PromoteTo(wide, hn::LoadU(d, some)), factor));
  };
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(scaled(x + i), d, to + i);
  if (i == count) return;
  HWY_ALIGN float rest[hn::MaxLanes(d)] = {};
  std::memcpy(rest, from + i * sizeof(float), (count - i) * sizeof(float));
  store_n(scaled(rest), d, to + i, count - i);
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
