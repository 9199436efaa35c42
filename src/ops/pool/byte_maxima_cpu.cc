#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/pool/byte_maxima.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

constexpr hn::ScalableTag<uint8_t> kU8;

void widen_maxima(const uint8_t* from, uint8_t turned, uint8_t* to, size_t count) {
  const size_t lanes = hn::Lanes(kU8);
  const auto flips = hn::Set(kU8, turned);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::Max(hn::LoadU(kU8, to + i), hn::Xor(hn::LoadU(kU8, from + i), flips)), kU8, to + i);
  for (; i < count; ++i) to[i] = HWY_MAX(to[i], static_cast<uint8_t>(from[i] ^ turned));
}

void maxima_along(const uint8_t* from, size_t taps, size_t step, uint8_t turned, uint8_t* to, size_t count) {
  const size_t lanes = hn::Lanes(kU8);
  const auto flips = hn::Set(kU8, turned);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    auto largest = hn::LoadU(kU8, from + i);
    for (size_t tap = 1; tap < taps; ++tap) largest = hn::Max(largest, hn::LoadU(kU8, from + i + tap * step));
    hn::StoreU(hn::Xor(largest, flips), kU8, to + i);
  }
  for (; i < count; ++i) {
    uint8_t largest = from[i];
    for (size_t tap = 1; tap < taps; ++tap) largest = HWY_MAX(largest, from[i + tap * step]);
    to[i] = static_cast<uint8_t>(largest ^ turned);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

ByteMaxima byte_maxima() { return {SDX_DISPATCH(widen_maxima), SDX_DISPATCH(maxima_along)}; }

}  // namespace sdx::ops
#endif
