// The largest magnitude among floats of 16 bits.
#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/largest_code.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

int16_t largest_code(const std::byte* from, size_t count, uint16_t infinity) {
  const hn::ScalableTag<int16_t> d;
  const size_t lanes = hn::Lanes(d);
  const auto* codes = reinterpret_cast<const int16_t*>(from);
  const auto sign = hn::Set(d, static_cast<int16_t>(0x7fff)), limit = hn::Set(d, static_cast<int16_t>(infinity));
  const auto magnitudes = [&](hn::Vec<decltype(d)> some) HWY_ATTR {
    const auto v = hn::And(some, sign);
    return hn::IfThenZeroElse(hn::Gt(v, limit), v);
  };
  auto a = hn::Zero(d), b = hn::Zero(d);
  size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    a = hn::Max(a, magnitudes(hn::LoadU(d, codes + i)));
    b = hn::Max(b, magnitudes(hn::LoadU(d, codes + i + lanes)));
  }
  for (; i < count; i += lanes) a = hn::Max(a, magnitudes(load_n(d, codes + i, count - i)));
  HWY_ALIGN int16_t all[hn::MaxLanes(d)];
  hn::Store(hn::Max(a, b), d, all);
  int16_t largest = 0;
  for (size_t lane = 0; lane < lanes; ++lane) largest = HWY_MAX(largest, all[lane]);
  return largest;
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

uint16_t largest_code(const std::byte* from, size_t count, uint16_t infinity) {
  return static_cast<uint16_t>(SDX_DISPATCH(largest_code)(from, count, infinity));
}

}  // namespace sdx::ops
#endif
