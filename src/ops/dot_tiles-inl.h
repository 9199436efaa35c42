// Dot products of some rows with four others, each along its own line of memory: per target, beside the kernels that
// include it.
#include "kernel/simd.h"

#if defined(SDX_DOT_TILES_PER_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef SDX_DOT_TILES_PER_TARGET
#undef SDX_DOT_TILES_PER_TARGET
#else
#define SDX_DOT_TILES_PER_TARGET
#endif

HWY_BEFORE_NAMESPACE();
namespace sdx {
namespace HWY_NAMESPACE {

using FourFloats = hn::Full128<float>;

// The sum of a vector's blocks of four lanes.
template <class D>
HWY_INLINE hn::Vec<FourFloats> sum_blocks(D d, hn::Vec<D> v) {
  if constexpr (hn::MaxLanes(D()) > 4) {
    const hn::Half<D> half;
    return sum_blocks(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  } else {
    static_cast<void>(d);
    return v;
  }
}
// The sums of the lanes of four vectors.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Vec<FourFloats> sums_of_lanes(D d, V a, V b, V c, V e) {
  const hn::Repartition<uint64_t, D> d64;
  const auto add_pairs = [&](V x, V y)
                             HWY_ATTR { return hn::Add(hn::InterleaveLower(d, x, y), hn::InterleaveUpper(d, x, y)); };
  const auto ab = hn::BitCast(d64, add_pairs(a, b)), ce = hn::BitCast(d64, add_pairs(c, e));
  return sum_blocks(
      d, hn::Add(hn::BitCast(d, hn::InterleaveLower(d64, ab, ce)), hn::BitCast(d, hn::InterleaveUpper(d64, ab, ce))));
}

// sums[r] = of row r with each of the four, which lie `step` apart. `ahead`: so many floats behind each of them are
// fetched.
template <int kRows>
HWY_INLINE void dot_four(const float* rows, int64_t row, const float* four, int64_t step, size_t size, int64_t ahead,
                         hn::Vec<FourFloats> (&sums)[kRows]) {
  const hn::ScalableTag<float> d;
  using V = hn::VFromD<decltype(d)>;
  const size_t lanes = hn::Lanes(d);
  V total[kRows][4];
  HWY_UNROLL(4)
  for (int r = 0; r < kRows; ++r) {
    HWY_UNROLL(4)
    for (int j = 0; j < 4; ++j) total[r][j] = hn::Zero(d);
  }
  size_t left = size;
  for (; left >= lanes; left -= lanes, four += lanes, rows += lanes) {
    V other[4];
    HWY_UNROLL(4)
    for (int j = 0; j < 4; ++j) {
      __builtin_prefetch(four + j * step + ahead, 0, 3);
      other[j] = hn::LoadU(d, four + j * step);
    }
    HWY_UNROLL(4)
    for (int r = 0; r < kRows; ++r) {
      const V own = hn::LoadU(d, rows + r * row);
      HWY_UNROLL(4)
      for (int j = 0; j < 4; ++j) total[r][j] = hn::MulAdd(own, other[j], total[r][j]);
    }
  }
  if (left > 0) {
    V other[4];
    HWY_UNROLL(4)
    for (int j = 0; j < 4; ++j) other[j] = load_n(d, four + j * step, left);
    HWY_UNROLL(4)
    for (int r = 0; r < kRows; ++r) {
      const V own = load_n(d, rows + r * row, left);
      HWY_UNROLL(4)
      for (int j = 0; j < 4; ++j) total[r][j] = hn::MulAdd(own, other[j], total[r][j]);
    }
  }
  HWY_UNROLL(4)
  for (int r = 0; r < kRows; ++r) sums[r] = sums_of_lanes(d, total[r][0], total[r][1], total[r][2], total[r][3]);
}

}  // namespace HWY_NAMESPACE
}  // namespace sdx
HWY_AFTER_NAMESPACE();

#endif
