#include "base/simd_targets.h"  // first

#include <cmath>

#include "ops/attention/attend_rows.h"
#include "ops/dot_tiles-inl.h"
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

// Scores become scale * score - top.
void subtract(const ops::ScoreRow& row, float top) {
  const hn::ScalableTag<float> d;
  const auto scale = hn::Set(d, row.scale), shift = hn::Set(d, top);
  for (size_t i = 0; i < row.count; i += hn::Lanes(d)) {
    const size_t n = row.count - i;
    store_n(hn::MulSub(load_n(d, row.scores + i, n), scale, shift), d, row.scores + i, n);
  }
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
  constexpr float kLog2E = 1.44269504f, kMost = 1000;  // of larger ones, products with kLog2E round by too much
  float factor = row.scale, highest_product = top;
  if (!(std::abs(top) <= kMost && row.scale <= kMost)) {
    subtract(row, top);
    factor = 1, highest_product = 0;
  }
  const auto scale = hn::Set(d, factor * kLog2E), shift = hn::Set(d, highest_product * kLog2E);
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

// First all rows' highest scores, so that no row waits for its own.
void soften_rows(const ops::ScoreRows& rows) {
  for (int64_t i = 0; i < rows.rows; ++i)
    rows.fading[i] = highest_score(rows.scores + i * rows.row, rows.count, rows.scale);
  ops::ScoreRow row{
      .scores = rows.scores, .count = rows.count, .scale = rows.scale, .softcap = 0, .bias = nullptr, .hides = false};
  for (int64_t i = 0; i < rows.rows; ++i, row.scores += rows.row)
    rows.fading[i] = soften(row, rows.fading[i], rows.states[i]);
}

void scale(float* y, size_t count, float factor) {
  const hn::ScalableTag<float> d;
  const auto f = hn::Set(d, factor);
  for (size_t i = 0; i < count; i += hn::Lanes(d))
    store_n(hn::Mul(load_n(d, y + i, count - i), f), d, y + i, count - i);
}

constexpr int64_t kKeysTogether = 16;  // for all rows before the next ones are read

// Keys or values are fetched before their turn: the earlier, the more is to be done in between.
int64_t floats_ahead(const FewRows& few) {
  const int64_t floats = 512 * (few.count + 1);
  return HWY_MAX(int64_t{4}, floats / HWY_MAX(few.size, int64_t{1})) * few.kv_row;
}

struct Keys {
  int64_t first, end;
};

template <int kRows>
HWY_NOINLINE void score_rows(const FewRows& few, int64_t row, Keys keys, int64_t ahead) {
  const size_t size = static_cast<size_t>(few.size);
  const int64_t own_row = few.row, kv_row = few.kv_row, score_row = few.score_row;
  const float* own = few.rows + row * own_row;
  const float* key = few.kv + keys.first * kv_row;
  float* scores = few.scores + row * score_row + keys.first;
  hn::Vec<FourFloats> sums[kRows];
  int64_t left = keys.end - keys.first;
  for (; left >= 4; left -= 4, key += 4 * kv_row, scores += 4) {
    dot_four<kRows>(own, own_row, key, kv_row, size, ahead, sums);
    HWY_UNROLL(4)
    for (int r = 0; r < kRows; ++r) hn::StoreU(sums[r], FourFloats(), scores + r * score_row);
  }
  for (; left > 0; --left, key += kv_row, ++scores) {
    dot_four<kRows>(own, own_row, key, 0, size, ahead, sums);
    for (int r = 0; r < kRows; ++r) scores[r * score_row] = hn::GetLane(sums[r]);
  }
}

// Rows += scores of some keys times their values, for the channels of some vectors.
template <int kRows, int kVectors>
HWY_NOINLINE void add_channels(const FewRows& few, int64_t row, Keys keys, int64_t ahead, size_t channel) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d), left = static_cast<size_t>(few.size) - channel;
  const auto room = [&](int v) HWY_ATTR { return left - HWY_MIN(left, static_cast<size_t>(v) * lanes); };
  const int64_t kv_row = few.kv_row, y_row = few.row, score_row = few.score_row;
  const float* values = few.kv + keys.first * kv_row + channel;
  const float* scores = few.scores + row * score_row + keys.first;
  float* y = few.rows + row * y_row + channel;
  hn::VFromD<decltype(d)> sum[kRows][kVectors];
  HWY_UNROLL(4)
  for (int r = 0; r < kRows; ++r) {
    HWY_UNROLL(4)
    for (int v = 0; v < kVectors; ++v) sum[r][v] = load_n(d, y + r * y_row + v * lanes, room(v));
  }
  const auto add = [&](auto load) HWY_ATTR {
    for (int64_t j = keys.end - keys.first; j > 0; --j, values += kv_row, ++scores) {
      hn::VFromD<decltype(d)> x[kVectors];
      HWY_UNROLL(4)
      for (int v = 0; v < kVectors; ++v) {
        __builtin_prefetch(values + v * lanes + ahead, 0, 3);
        x[v] = load(v);
      }
      HWY_UNROLL(4)
      for (int r = 0; r < kRows; ++r) {
        const auto score = hn::Set(d, scores[r * score_row]);
        HWY_UNROLL(4)
        for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::MulAdd(score, x[v], sum[r][v]);
      }
    }
  };
  if (left >= kVectors * lanes) {
    add([&](int v) HWY_ATTR { return hn::LoadU(d, values + v * lanes); });
  } else {
    add([&](int v) HWY_ATTR { return load_n(d, values + v * lanes, room(v)); });
  }
  HWY_UNROLL(4)
  for (int r = 0; r < kRows; ++r) {
    HWY_UNROLL(4)
    for (int v = 0; v < kVectors; ++v) store_n(sum[r][v], d, y + r * y_row + v * lanes, room(v));
  }
}

template <int kRows>
void add_values(const FewRows& few, int64_t row, Keys keys, int64_t ahead) {
  constexpr int kVectors = HWY_MAX_BYTES == 64 ? 4 : 2;
  const size_t lanes = hn::Lanes(hn::ScalableTag<float>()), size = static_cast<size_t>(few.size);
  size_t channel = 0;
  for (; channel + (kVectors - 1) * lanes < size; channel += kVectors * lanes)
    add_channels<kRows, kVectors>(few, row, keys, ahead, channel);
  for (; channel < size; channel += lanes) add_channels<kRows, 1>(few, row, keys, ahead, channel);
}

using SomeRows = void (*)(const FewRows&, int64_t row, Keys keys, int64_t ahead);

void for_all(const FewRows& few, const SomeRows (&by_rows)[4]) {
  const int64_t ahead = floats_ahead(few);
  for (int64_t j = 0; j < few.keys; j += kKeysTogether) {
    const Keys keys{j, HWY_MIN(j + kKeysTogether, few.keys)};
    for (int64_t row = 0; row < few.count; row += 4)
      by_rows[HWY_MIN(few.count - row, int64_t{4}) - 1](few, row, keys, ahead);
  }
}

void few_scores(const FewRows& few) {
  constexpr SomeRows kByRows[] = {score_rows<1>, score_rows<2>, score_rows<3>, score_rows<4>};
  for_all(few, kByRows);
}
void few_values(const FewRows& few) {
  constexpr SomeRows kByRows[] = {add_values<1>, add_values<2>, add_values<3>, add_values<4>};
  for_all(few, kByRows);
}

constexpr ops::AttendRows kRows = {.highest = highest,
                                   .soften = soften,
                                   .soften_rows = soften_rows,
                                   .scale = scale,
                                   .few_scores = few_scores,
                                   .few_values = few_values};
const ops::AttendRows* attend_rows() { return &kRows; }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

const AttendRows& attend_rows() { return *SDX_DISPATCH(attend_rows)(); }

}  // namespace sdx::ops
#endif
