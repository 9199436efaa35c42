#include "base/simd_targets.h"  // first

#include <cmath>

#include "ops/attention/attend_f32.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

void score_row(const ops::ScoreRow& row) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const auto hidden = hn::Set(d, -HUGE_VALF), scale = hn::Set(d, row.scale), cap = hn::Set(d, row.softcap);
  const auto to_cap = hn::Set(d, row.softcap > 0 ? 1 / row.softcap : 0);
  auto tops = hn::Set(d, row.sink == nullptr ? -HUGE_VALF : *row.sink);
  for (size_t i = 0; i < row.count; i += lanes) {
    const size_t n = HWY_MIN(lanes, row.count - i);
    auto v = hn::Mul(load_n(d, row.scores + i, n), scale);
    if (row.softcap > 0) v = hn::Mul(cap, tanh_of(d, hn::Mul(v, to_cap)));
    if (row.bias != nullptr) {
      const auto bias = load_n(d, row.bias + i, n);
      const auto sum = hn::Add(v, bias);
      v = row.hides ? hn::IfThenElse(hn::Eq(bias, hidden), hidden, sum) : sum;
    }
    store_n(v, d, row.scores + i, n);
    if (n < lanes) v = hn::IfThenElse(hn::FirstN(d, n), v, hidden);
    tops = hn::Max(v, tops);
  }
  const float top = hn::GetLane(hn::MaxOfLanes(d, tops));
  auto sums = hn::Zero(d);
  if (top == -HUGE_VALF && row.hides) {  // nothing is seen, unless a NaN hides behind the comparisons
    for (size_t i = 0; i < row.count; ++i) row.scores[i] = std::isnan(row.scores[i]) ? row.scores[i] : 0;
    return;
  }
  const auto shift = hn::Set(d, top);
  for (size_t i = 0; i < row.count; i += lanes) {
    const size_t n = HWY_MIN(lanes, row.count - i);
    const auto e = exp_of(d, hn::Sub(load_n(d, row.scores + i, n), shift));
    store_n(e, d, row.scores + i, n);
    sums = hn::Add(sums, n < lanes ? hn::IfThenElseZero(hn::FirstN(d, n), e) : e);
  }
  float sum = hn::GetLane(hn::SumOfLanes(d, sums));
  if (row.sink != nullptr) sum += std::exp(*row.sink - top);
  const auto factor = hn::Set(d, 1 / sum);
  for (size_t i = 0; i < row.count; i += lanes) {
    const size_t n = HWY_MIN(lanes, row.count - i);
    store_n(hn::Mul(load_n(d, row.scores + i, n), factor), d, row.scores + i, n);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

ScoreRowF32 score_row_f32() { return SDX_DISPATCH(score_row); }

}  // namespace sdx::ops
#endif
