#include "base/simd_targets.h"  // first

#include <cstring>
#include <limits>

#include "kernel/simd.h"
#include "ops/quant/nbits_panels.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// As round_block(), to bytes at their code_place; where the block holds NaN, the scale is NaN.
void round_to_codes(const float* a, int64_t count, int64_t bits, int8_t* to, int64_t step, float* scale, int32_t* sum) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<int32_t, decltype(d)> d32;
  const hn::Rebind<int8_t, decltype(d)> d8;
  const hn::Full128<int8_t> d_bytes;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto at = [&](int64_t i) HWY_ATTR {
    return i + lanes <= count ? hn::LoadU(d, a + i)
           : i < count        ? load_n(d, a + i, static_cast<size_t>(count - i))
                              : hn::Zero(d);
  };
  auto largest = hn::Zero(d);
  auto unordered = hn::IsNaN(largest);
  for (int64_t i = 0; i < count; i += lanes) {
    const auto v = at(i);
    unordered = hn::Or(unordered, hn::IsNaN(v));
    largest = hn::Max(largest, hn::Abs(v));
  }
  const float most =
      hn::AllFalse(d, unordered) ? hn::GetLane(hn::MaxOfLanes(d, largest)) : std::numeric_limits<float>::quiet_NaN();
  *scale = most / 127;
  const auto inverse = hn::Set(d, *scale != 0 ? 1 / *scale : 0);
  const auto low = hn::Set(d, -127.5f), high = hn::Set(d, 127.5f);  // the largest may come out a little above 127
  auto total = hn::Zero(d32);
  HWY_ALIGN int8_t some[16];
  const auto order = hn::LoadU(d_bytes, ops::code_order(bits));
  const int64_t words = (count + ops::word_rows(bits) - 1) / ops::word_rows(bits) * ops::word_rows(bits);
  for (int64_t i = 0; i < words; i += 16) {  // of words of rows, 16 codes hold some
    for (int64_t j = 0; j < 16; j += lanes) {
      const auto v = hn::Mul(at(i + j), inverse);
      const auto whole = hn::NearestInt(hn::IfThenElse(hn::And(hn::Ge(v, low), hn::Le(v, high)), v, hn::Zero(d)));
      total = hn::Add(total, whole);
      hn::StoreU(hn::DemoteTo(d8, whole), d8, some + j);
    }
    hn::Store(hn::TableLookupBytes(hn::Load(d_bytes, some), order), d_bytes, some);
    const int64_t fours = HWY_MIN(words - i, int64_t{16});
    for (int64_t k = 0; k < fours; k += 4, to += step) std::memcpy(to, some + k, 4);
  }
  *sum = hn::GetLane(hn::SumOfLanes(d32, total));
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

RoundBlock round_block_kernel() { return SDX_DISPATCH(round_to_codes); }

}  // namespace sdx::ops
#endif
