#include "base/simd_targets.h"  // first

#include <limits>

#include "kernel/simd.h"
#include "ops/quant/nbits_panels.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// As round_block(), to bytes; where the block holds NaN, the scale is NaN.
void round_to_codes(const float* a, int64_t count, int8_t* codes, float* scale, int32_t* sum) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<int32_t, decltype(d)> d32;
  const hn::Rebind<int8_t, decltype(d)> d8;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto size = static_cast<size_t>(count);
  auto largest = hn::Zero(d);
  auto unordered = hn::IsNaN(largest);
  for (int64_t i = 0; i < count; i += lanes) {
    const auto v = load_n(d, a + i, size - static_cast<size_t>(i));
    unordered = hn::Or(unordered, hn::IsNaN(v));
    largest = hn::Max(largest, hn::Abs(v));
  }
  const float most =
      hn::AllFalse(d, unordered) ? hn::GetLane(hn::MaxOfLanes(d, largest)) : std::numeric_limits<float>::quiet_NaN();
  *scale = most / 127;
  const auto inverse = hn::Set(d, *scale != 0 ? 1 / *scale : 0);
  const auto low = hn::Set(d, -127.5f), high = hn::Set(d, 127.5f);  // the largest may come out a little above 127
  auto total = hn::Zero(d32);
  for (int64_t i = 0; i < count; i += lanes) {
    const auto v = hn::Mul(load_n(d, a + i, size - static_cast<size_t>(i)), inverse);
    const auto whole = hn::NearestInt(hn::IfThenElse(hn::And(hn::Ge(v, low), hn::Le(v, high)), v, hn::Zero(d)));
    total = hn::Add(total, whole);
    HWY_ALIGN int8_t buffer[HWY_MAX_BYTES];
    hn::StoreU(hn::DemoteTo(d8, whole), d8, buffer);
    const int64_t n = HWY_MIN(lanes, count - i);
    for (int64_t j = 0; j < n; ++j) codes[i + j] = buffer[j];
  }
  *sum = hn::GetLane(hn::SumOfLanes(d32, total));
}

// Codes to their code_place; in whole words of rows, of which 16 codes hold some.
void place_codes(int64_t bits, int64_t count, int8_t* codes) {
  const hn::Full128<int8_t> d;
  HWY_ALIGN int8_t order[16];
  for (int64_t k = 0; k < 16; ++k) order[ops::code_place(k, bits)] = static_cast<int8_t>(k);
  const auto pattern = hn::Load(d, order);
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) hn::StoreU(hn::TableLookupBytes(hn::LoadU(d, codes + i), pattern), d, codes + i);
  HWY_ALIGN int8_t rest[16] = {};
  for (int64_t k = i; k < count; ++k) rest[ops::code_place(k - i, bits)] = codes[k];
  for (int64_t k = i; k < count; ++k) codes[k] = rest[k - i];
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

RoundRow round_row_kernel() { return {SDX_DISPATCH(round_to_codes), SDX_DISPATCH(place_codes)}; }

}  // namespace sdx::ops
#endif
