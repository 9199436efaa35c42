#include "base/simd_targets.h"  // first

#include <utility>

#include "kernel/simd.h"
#include "ops/shape/transpose_tile.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

template <typename T>
void transpose_scalar(const T* from, int64_t from_row, T* to, int64_t to_row, int64_t rows, int64_t columns) {
  for (int64_t c = 0; c < columns; ++c)
    for (int64_t r = 0; r < rows; ++r) to[c * to_row + r] = from[r * from_row + c];
}

// Stores the blocks of kBytes of a vector `step` elements apart.
template <size_t kBytes, class D, typename T>
HWY_INLINE void store_blocks(hn::Vec<D> v, D d, T* to, int64_t step) {
  if constexpr (hn::MaxLanes(D()) * sizeof(T) <= kBytes) {
    hn::StoreU(v, d, to);
  } else {
    const hn::Half<D> half;
    const auto blocks = static_cast<int64_t>(hn::MaxLanes(half) * sizeof(T) / kBytes);
    store_blocks<kBytes>(hn::LowerHalf(half, v), half, to, step);
    store_blocks<kBytes>(hn::UpperHalf(half, v), half, to + step * blocks, step);
  }
}

// Row i and row i + kHalf of kRows, interleaved within 16-byte blocks; after log2(kRows) rounds each block holds a
// column.
template <size_t kRounds, class D, size_t kRows, size_t... i>
HWY_INLINE void interleave_rows(D d, hn::Vec<D> (&v)[kRows], std::index_sequence<i...> halves) {
  if constexpr (kRounds > 0) {
    constexpr size_t kHalf = kRows / 2;
    hn::Vec<D> w[kRows] = {(i % 2 == 0 ? hn::InterleaveLower(d, v[i / 2], v[i / 2 + kHalf])
                                       : hn::InterleaveUpper(d, v[i / 2], v[i / 2 + kHalf]))...};
    interleave_rows<kRounds - 1>(d, w, halves);
    ((v[i] = w[i]), ...);
  }
}

// As many rows as a 16-byte block has elements, and columns of a whole vector.
template <class D, typename T, size_t... i>
HWY_INLINE void transpose_blocks(D d, const T* from, int64_t from_row, T* to, int64_t to_row,
                                 std::index_sequence<i...> rows) {
  constexpr auto kRows = static_cast<int64_t>(sizeof...(i));
  hn::Vec<D> v[kRows] = {hn::LoadU(d, from + static_cast<int64_t>(i) * from_row)...};
  interleave_rows<hwy::CeilLog2(sizeof...(i))>(d, v, rows);
  (store_blocks<16>(v[i], d, to + static_cast<int64_t>(i) * to_row, kRows * to_row), ...);
}

// Twice as many rows: two blocks of a column lie side by side.
template <class D, typename T, size_t... i>
HWY_INLINE void transpose_pairs(D d, const T* from, int64_t from_row, T* to, int64_t to_row,
                                std::index_sequence<i...> rows) {
  constexpr auto kRows = static_cast<int64_t>(sizeof...(i));
  hn::Vec<D> v[kRows] = {hn::LoadU(d, from + static_cast<int64_t>(i) * from_row)...};
  hn::Vec<D> w[kRows] = {hn::LoadU(d, from + (static_cast<int64_t>(i) + kRows) * from_row)...};
  interleave_rows<hwy::CeilLog2(sizeof...(i))>(d, v, rows);
  interleave_rows<hwy::CeilLog2(sizeof...(i))>(d, w, rows);
  (store_blocks<32>(hn::OddEvenBlocks(hn::SwapAdjacentBlocks(w[i]), v[i]), d, to + static_cast<int64_t>(i) * to_row,
                    2 * kRows * to_row),
   ...);
  (store_blocks<32>(hn::OddEvenBlocks(w[i], hn::SwapAdjacentBlocks(v[i])), d,
                    to + (static_cast<int64_t>(i) + kRows) * to_row, 2 * kRows * to_row),
   ...);
}

template <typename T>
void transpose_plane(const T* from, int64_t from_row, T* to, int64_t to_row, int64_t rows, int64_t columns) {
  constexpr int64_t kBlock = 16 / sizeof(T);
  const hn::ScalableTag<T> d;
  const hn::FixedTag<T, kBlock> d16;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  constexpr auto kRows = std::make_index_sequence<static_cast<size_t>(kBlock)>();
  const int64_t whole_rows = rows / kBlock * kBlock;
  int64_t r = 0;
  if constexpr (sizeof(T) > 1 && hn::MaxLanes(d) > kBlock) {
    for (; r + 2 * kBlock <= rows; r += 2 * kBlock) {
      int64_t c = 0;
      for (; c + lanes <= columns; c += lanes)
        transpose_pairs(d, from + r * from_row + c, from_row, to + c * to_row + r, to_row, kRows);
      for (; c + kBlock <= columns; c += kBlock)
        for (int64_t half = 0; half < 2 * kBlock; half += kBlock)
          transpose_blocks(d16, from + (r + half) * from_row + c, from_row, to + c * to_row + r + half, to_row, kRows);
      transpose_scalar(from + r * from_row + c, from_row, to + c * to_row + r, to_row, 2 * kBlock, columns - c);
    }
  }
  for (; r < whole_rows; r += kBlock) {
    int64_t c = 0;
    for (; c + lanes <= columns; c += lanes)
      transpose_blocks(d, from + r * from_row + c, from_row, to + c * to_row + r, to_row, kRows);
    for (; c + kBlock <= columns; c += kBlock)
      transpose_blocks(d16, from + r * from_row + c, from_row, to + c * to_row + r, to_row, kRows);
    transpose_scalar(from + r * from_row + c, from_row, to + c * to_row + r, to_row, kBlock, columns - c);
  }
  transpose_scalar(from + whole_rows * from_row, from_row, to + whole_rows, to_row, rows - whole_rows, columns);
}

// `kParts` columns of rows that follow one another.
template <int64_t kParts, typename T>
void separate(const T* from, T* to, int64_t to_row, int64_t rows) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t r = 0;
  hn::Vec<decltype(d)> a, b, c, e;
  for (; r + lanes <= rows; r += lanes) {
    if constexpr (kParts == 2) hn::LoadInterleaved2(d, from + 2 * r, a, b);
    if constexpr (kParts == 3) hn::LoadInterleaved3(d, from + 3 * r, a, b, c);
    if constexpr (kParts == 4) hn::LoadInterleaved4(d, from + 4 * r, a, b, c, e);
    hn::StoreU(a, d, to + r);
    hn::StoreU(b, d, to + to_row + r);
    if constexpr (kParts >= 3) hn::StoreU(c, d, to + 2 * to_row + r);
    if constexpr (kParts >= 4) hn::StoreU(e, d, to + 3 * to_row + r);
  }
  transpose_scalar(from + kParts * r, kParts, to + r, to_row, rows - r, kParts);
}

// `kParts` rows, and columns that follow one another.
template <int64_t kParts, typename T>
void interleave(const T* from, int64_t from_row, T* to, int64_t columns) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t at = 0;
  for (; at + lanes <= columns; at += lanes) {
    const auto a = hn::LoadU(d, from + at), b = hn::LoadU(d, from + from_row + at);
    if constexpr (kParts == 2) {
      hn::StoreInterleaved2(a, b, d, to + 2 * at);
    } else {
      const auto c = hn::LoadU(d, from + 2 * from_row + at);
      if constexpr (kParts == 3) hn::StoreInterleaved3(a, b, c, d, to + 3 * at);
      if constexpr (kParts == 4) hn::StoreInterleaved4(a, b, c, hn::LoadU(d, from + 3 * from_row + at), d, to + 4 * at);
    }
  }
  transpose_scalar(from + at, from_row, to + kParts * at, kParts, kParts, columns - at);
}

template <typename T>
void transpose_any(const T* from, int64_t from_row, T* to, int64_t to_row, int64_t rows, int64_t columns) {
  if (from_row == columns && columns == 2) return separate<2>(from, to, to_row, rows);
  if (from_row == columns && columns == 3) return separate<3>(from, to, to_row, rows);
  if (from_row == columns && columns == 4) return separate<4>(from, to, to_row, rows);
  if (to_row == rows && rows == 2) return interleave<2>(from, from_row, to, columns);
  if (to_row == rows && rows == 3) return interleave<3>(from, from_row, to, columns);
  if (to_row == rows && rows == 4) return interleave<4>(from, from_row, to, columns);
  transpose_plane(from, from_row, to, to_row, rows, columns);
}

void transpose_8(const uint8_t* from, int64_t from_row, uint8_t* to, int64_t to_row, int64_t rows, int64_t columns) {
  transpose_any(from, from_row, to, to_row, rows, columns);
}
void transpose_16(const uint16_t* from, int64_t from_row, uint16_t* to, int64_t to_row, int64_t rows, int64_t columns) {
  transpose_any(from, from_row, to, to_row, rows, columns);
}
void transpose_32(const uint32_t* from, int64_t from_row, uint32_t* to, int64_t to_row, int64_t rows, int64_t columns) {
  transpose_any(from, from_row, to, to_row, rows, columns);
}
void transpose_64(const uint64_t* from, int64_t from_row, uint64_t* to, int64_t to_row, int64_t rows, int64_t columns) {
  transpose_any(from, from_row, to, to_row, rows, columns);
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

template <>
TransposeTile<uint8_t> transpose_tile() {
  return SDX_DISPATCH(transpose_8);
}
template <>
TransposeTile<uint16_t> transpose_tile() {
  return SDX_DISPATCH(transpose_16);
}
template <>
TransposeTile<uint32_t> transpose_tile() {
  return SDX_DISPATCH(transpose_32);
}
template <>
TransposeTile<uint64_t> transpose_tile() {
  return SDX_DISPATCH(transpose_64);
}

}  // namespace sdx::ops
#endif
