#include "base/simd_targets.h"  // first

#include <limits>

#include "kernel/simd.h"
#include "ops/index/key_scan.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

void ordered_floats(const float* x, size_t count, uint32_t flip, uint32_t* out) {
  const hn::ScalableTag<int32_t> d;
  const auto sign = hn::Set(d, std::numeric_limits<int32_t>::min()), infinity = hn::Set(d, 0x7f800000);
  const auto flips = hn::Set(d, static_cast<int32_t>(flip)), zero = hn::Zero(d);
  const auto* bits = reinterpret_cast<const int32_t*>(x);
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto v = load_n(d, bits + i, count - i);
    const auto magnitude = hn::AndNot(sign, v);
    const auto falls = hn::And(hn::Lt(v, zero), hn::Gt(magnitude, zero));
    const auto ordered = hn::IfThenElse(falls, hn::Not(v), hn::Or(magnitude, sign));
    const auto or_nan = hn::IfThenElse(hn::Gt(magnitude, infinity), hn::Set(d, -1), ordered);
    store_n(hn::Xor(or_nan, flips), d, reinterpret_cast<int32_t*>(out) + i, count - i);
  }
}

// Blocks of several vectors, of which most have nothing.
template <typename T>
size_t positions_of(const T* x, size_t count, T least, uint32_t* positions) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  const auto limit = hn::Set(d, least);
  uint32_t* out = positions;
  size_t i = 0;
  const auto lanes_of = [&](uint64_t bits, size_t first) HWY_ATTR {
    for (; bits != 0; bits &= bits - 1)
      *out++ = static_cast<uint32_t>(first + hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
  };
  const auto bits_of = [&](size_t at) HWY_ATTR {
    uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Gt(hn::LoadU(d, x + at), limit), bytes);
    uint64_t bits = 0;
    hwy::CopyBytes<8>(bytes, &bits);
    return bits;
  };
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    const auto a = hn::Gt(hn::LoadU(d, x + i), limit), b = hn::Gt(hn::LoadU(d, x + i + lanes), limit);
    const auto e = hn::Gt(hn::LoadU(d, x + i + 2 * lanes), limit), f = hn::Gt(hn::LoadU(d, x + i + 3 * lanes), limit);
    if (hn::AllFalse(d, hn::Or(hn::Or(a, b), hn::Or(e, f)))) continue;
    for (size_t k = 0; k < 4; ++k) lanes_of(bits_of(i + k * lanes), i + k * lanes);
  }
  for (; i + lanes <= count; i += lanes) lanes_of(bits_of(i), i);
  for (; i < count; ++i)
    if (x[i] > least) *out++ = static_cast<uint32_t>(i);
  return static_cast<size_t>(out - positions);
}
size_t positions_u32(const uint32_t* x, size_t count, uint32_t least, uint32_t* positions) {
  return positions_of(x, count, least, positions);
}
size_t positions_u64(const uint64_t* x, size_t count, uint64_t least, uint32_t* positions) {
  return positions_of(x, count, least, positions);
}
size_t positions_f32(const float* x, size_t count, float least, uint32_t* positions) {
  return positions_of(x, count, least, positions);
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

void ordered_floats(const float* x, size_t count, uint32_t flip, uint32_t* out) {
  SDX_DISPATCH(ordered_floats)(x, count, flip, out);
}
size_t positions_above(const uint32_t* x, size_t count, uint32_t least, uint32_t* positions) {
  return SDX_DISPATCH(positions_u32)(x, count, least, positions);
}
size_t positions_above(const uint64_t* x, size_t count, uint64_t least, uint32_t* positions) {
  return SDX_DISPATCH(positions_u64)(x, count, least, positions);
}
size_t positions_above(const float* x, size_t count, float least, uint32_t* positions) {
  return SDX_DISPATCH(positions_f32)(x, count, least, positions);
}

}  // namespace sdx::ops
#endif
