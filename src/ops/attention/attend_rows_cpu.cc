#include "base/simd_targets.h"  // first

#include <cmath>

#include "ops/attention/attend_rows.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::FewRows;

// Scaled, capped, biased; returns the largest that is no NaN.
float prepare_scores(const ops::ScoreRow& row) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const auto hidden = hn::Set(d, -HUGE_VALF), scale = hn::Set(d, row.scale), cap = hn::Set(d, row.softcap);
  const auto to_cap = hn::Set(d, row.softcap > 0 ? 1 / row.softcap : 0);
  auto tops = hidden;
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
  return hn::GetLane(hn::MaxOfLanes(d, tops));
}

// The largest of scores that are only scaled, by a positive number.
float highest_score(const float* scores, size_t count, float scale) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const auto lowest = hn::Set(d, -HUGE_VALF);
  auto tops = lowest, others = lowest;
  size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    tops = hn::Max(hn::LoadU(d, scores + i), tops);
    others = hn::Max(hn::LoadU(d, scores + i + lanes), others);
  }
  for (; i < count; i += lanes) {
    const auto v = load_n(d, scores + i, count - i);
    tops = hn::Max(count - i < lanes ? hn::IfThenElse(hn::FirstN(d, count - i), v, lowest) : v, tops);
  }
  return hn::GetLane(hn::MaxOfLanes(d, hn::Max(tops, others))) * scale;
}

float highest(const ops::ScoreRow& row) {
  return row.only_scaled() ? highest_score(row.scores, row.count, row.scale) : prepare_scores(row);
}

float soften(const ops::ScoreRow& row, float highest, ops::SoftmaxState& state) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const float top = highest > state.top ? highest : state.top;
  if (top == -HUGE_VALF) {  // nothing is seen, unless a NaN hides behind the comparisons
    for (size_t i = 0; i < row.count; ++i) {
      row.scores[i] = std::isnan(row.scores[i]) ? row.scores[i] : 0;
      state.sum += row.scores[i];
    }
    return 1;
  }
  constexpr float kLog2E = 1.44269504f;
  const auto scale = hn::Set(d, row.scale * kLog2E), shift = hn::Set(d, top * kLog2E);
  auto sums = hn::Zero(d);
  size_t i = 0;
  for (; i + lanes <= row.count; i += lanes) {
    const auto e = exp2_below(d, hn::MulSub(hn::LoadU(d, row.scores + i), scale, shift));
    hn::StoreU(e, d, row.scores + i);
    sums = hn::Add(sums, e);
  }
  if (i < row.count) {
    const size_t n = row.count - i;
    const auto e = exp2_below(d, hn::MulSub(load_n(d, row.scores + i, n), scale, shift));
    store_n(e, d, row.scores + i, n);
    sums = hn::Add(sums, hn::IfThenElseZero(hn::FirstN(d, n), e));
  }
  const float fading = state.top == top ? 1 : std::exp(state.top - top);
  state.sum = state.sum * fading + hn::GetLane(hn::SumOfLanes(d, sums));
  state.top = top;
  return fading;
}

void scale(float* y, size_t count, float factor) {
  const hn::ScalableTag<float> d;
  const auto f = hn::Set(d, factor);
  for (size_t i = 0; i < count; i += hn::Lanes(d))
    store_n(hn::Mul(load_n(d, y + i, count - i), f), d, y + i, count - i);
}

template <int kRows>
void few_scores(const FewRows& few) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d), size = static_cast<size_t>(few.size);
  for (int64_t j = 0; j < few.keys; ++j) {
    const float* key = few.kv + j * few.kv_row;
    __builtin_prefetch(key + 8 * few.kv_row, 0, 3);
    hn::VFromD<decltype(d)> sum[kRows];
    for (int r = 0; r < kRows; ++r) sum[r] = hn::Zero(d);
    for (size_t i = 0; i < size; i += lanes) {
      const auto k = load_n(d, key + i, size - i);
      for (int r = 0; r < kRows; ++r) sum[r] = hn::MulAdd(load_n(d, few.rows + r * few.row + i, size - i), k, sum[r]);
    }
    for (int r = 0; r < kRows; ++r) few.scores[r * few.score_row + j] = hn::GetLane(hn::SumOfLanes(d, sum[r]));
  }
}

template <int kRows>
void few_values(const FewRows& few) {
  const hn::ScalableTag<float> d;
  constexpr size_t kVectors = HWY_MAX_BYTES == 64 ? 4 : 2;
  const size_t lanes = hn::Lanes(d), size = static_cast<size_t>(few.size);
  for (size_t first = 0; first < size; first += kVectors * lanes) {
    const auto left = [&](size_t v) HWY_ATTR { return size - HWY_MIN(size, first + v * lanes); };
    hn::VFromD<decltype(d)> sum[kRows][kVectors];
    for (int r = 0; r < kRows; ++r)
      for (size_t v = 0; v < kVectors; ++v) sum[r][v] = load_n(d, few.rows + r * few.row + first + v * lanes, left(v));
    for (int64_t j = 0; j < few.keys; ++j) {
      const float* value = few.kv + j * few.kv_row + first;
      __builtin_prefetch(value + 8 * few.kv_row, 0, 3);
      for (size_t v = 0; v < kVectors; ++v) {
        const auto x = load_n(d, value + v * lanes, left(v));
        for (int r = 0; r < kRows; ++r)
          sum[r][v] = hn::MulAdd(hn::Set(d, few.scores[r * few.score_row + j]), x, sum[r][v]);
      }
    }
    for (int r = 0; r < kRows; ++r)
      for (size_t v = 0; v < kVectors; ++v) store_n(sum[r][v], d, few.rows + r * few.row + first + v * lanes, left(v));
  }
}

constexpr ops::AttendRows kRows = {.highest = highest,
                                   .soften = soften,
                                   .scale = scale,
                                   .few_scores = {few_scores<1>, few_scores<2>, few_scores<3>, few_scores<4>},
                                   .few_values = {few_values<1>, few_values<2>, few_values<3>, few_values<4>}};
const ops::AttendRows* attend_rows() { return &kRows; }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

const AttendRows& attend_rows() { return *SDX_DISPATCH(attend_rows)(); }

}  // namespace sdx::ops
#endif
