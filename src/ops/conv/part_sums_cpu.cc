// Sums of a transposed convolution's parts.
#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/conv/part_sums.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::PartRange;

void add(const float* row, PartRange range, float* to) {
  const hn::ScalableTag<float> d;
  for (int64_t i = range.first; i < range.last; i += static_cast<int64_t>(hn::Lanes(d))) {
    const auto left = static_cast<size_t>(range.last - i);
    store_n(hn::Add(load_n(d, to + i, left), load_n(d, row + i, left)), d, to + i, left);
  }
}

void add_every_second(const float* row, int64_t first, int64_t last, float* to) {
  for (int64_t i = first; i < last; ++i) to[2 * i] += row[i];
}

void add_pairs(const float* row, PartRange range, const float* next, PartRange next_range, float* to) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t first = HWY_MAX(range.first, next_range.first), last = HWY_MIN(range.last, next_range.last);
  add_every_second(row, range.first, HWY_MIN(first, range.last), to);
  add_every_second(next, next_range.first, HWY_MIN(first, next_range.last), to + 1);
  int64_t i = first;
  for (; i + lanes <= last; i += lanes) {
    hn::VFromD<decltype(d)> even, odd;
    hn::LoadInterleaved2(d, to + 2 * i, even, odd);
    hn::StoreInterleaved2(hn::Add(even, hn::LoadU(d, row + i)), hn::Add(odd, hn::LoadU(d, next + i)), d, to + 2 * i);
  }
  i = HWY_MAX(i, first);
  add_every_second(row, HWY_MAX(i, range.first), range.last, to);
  add_every_second(next, HWY_MAX(i, next_range.first), next_range.last, to + 1);
}

constexpr ops::PartSums kSums = {add, add_pairs};
const ops::PartSums* sums() { return &kSums; }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

const PartSums& part_sums() { return *SDX_DISPATCH(sums)(); }

}  // namespace sdx::ops
#endif
