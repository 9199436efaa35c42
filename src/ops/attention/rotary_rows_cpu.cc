#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/attention/rotary_rows.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

void turn_half_apart(const float* c, const float* s, const float* from, float* to, size_t half) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < half; i += hn::Lanes(d)) {
    const size_t n = half - i;
    const auto cosine = load_n(d, c + i, n), sine = load_n(d, s + i, n);
    const auto x1 = load_n(d, from + i, n), x2 = load_n(d, from + half + i, n);
    store_n(hn::NegMulAdd(sine, x2, hn::Mul(cosine, x1)), d, to + i, n);
    store_n(hn::MulAdd(sine, x1, hn::Mul(cosine, x2)), d, to + half + i, n);
  }
}

void turn_neighbours(const float* c, const float* s, const float* from, float* to, size_t half) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= half; i += lanes) {
    const auto cosine = hn::LoadU(d, c + i), sine = hn::LoadU(d, s + i);
    hn::Vec<decltype(d)> x1, x2;
    hn::LoadInterleaved2(d, from + 2 * i, x1, x2);
    hn::StoreInterleaved2(hn::NegMulAdd(sine, x2, hn::Mul(cosine, x1)), hn::MulAdd(sine, x1, hn::Mul(cosine, x2)), d,
                          to + 2 * i);
  }
  for (; i < half; ++i) {
    const float x1 = from[2 * i], x2 = from[2 * i + 1];
    to[2 * i] = c[i] * x1 - s[i] * x2;
    to[2 * i + 1] = s[i] * x1 + c[i] * x2;
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

TurnRowF32 turn_row_f32(RotaryPairs pairs) {
  return pairs == RotaryPairs::neighbours ? SDX_DISPATCH(turn_neighbours) : SDX_DISPATCH(turn_half_apart);
}

}  // namespace sdx::ops
#endif
