#include "base/simd_targets.h"  // first

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

// Stores the 16-byte blocks of a vector `step` elements apart.
template <class D, typename T>
HWY_INLINE void store_blocks(hn::Vec<D> v, D d, T* to, int64_t step) {
  if constexpr (hn::MaxLanes(D()) * sizeof(T) <= 16) {
    hn::StoreU(v, d, to);
  } else {
    const hn::Half<D> half;
    store_blocks(hn::LowerHalf(half, v), half, to, step);
    store_blocks(hn::UpperHalf(half, v), half, to + step * static_cast<int64_t>(hn::MaxLanes(half) * sizeof(T) / 16),
                 step);
  }
}

// As many rows as a 16-byte block has elements, and columns of a whole vector: each round interleaves row i with row
// i + kBlock / 2, within blocks.
template <class D, typename T>
HWY_INLINE void transpose_blocks(D d, const T* from, int64_t from_row, T* to, int64_t to_row) {
  constexpr int kBlock = 16 / sizeof(T);
  hn::Vec<D> v[kBlock], w[kBlock];
  for (int i = 0; i < kBlock; ++i) v[i] = hn::LoadU(d, from + i * from_row);
  for (int half = 1; half < kBlock; half *= 2) {
    for (int i = 0; i < kBlock / 2; ++i) {
      w[2 * i] = hn::InterleaveLower(d, v[i], v[i + kBlock / 2]);
      w[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + kBlock / 2]);
    }
    for (int i = 0; i < kBlock; ++i) v[i] = w[i];
  }
  for (int i = 0; i < kBlock; ++i) store_blocks(v[i], d, to + i * to_row, kBlock * to_row);
}

template <typename T>
void transpose_plane(const T* from, int64_t from_row, T* to, int64_t to_row, int64_t rows, int64_t columns) {
  constexpr int64_t kBlock = 16 / sizeof(T);
  const hn::ScalableTag<T> d;
  const hn::FixedTag<T, kBlock> d16;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t whole_rows = rows / kBlock * kBlock;
  for (int64_t r = 0; r < whole_rows; r += kBlock) {
    int64_t c = 0;
    for (; c + lanes <= columns; c += lanes)
      transpose_blocks(d, from + r * from_row + c, from_row, to + c * to_row + r, to_row);
    for (; c + kBlock <= columns; c += kBlock)
      transpose_blocks(d16, from + r * from_row + c, from_row, to + c * to_row + r, to_row);
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
      if constexpr (kParts == 4)
        hn::StoreInterleaved4(a, b, c, hn::LoadU(d, from + 3 * from_row + at), d, to + 4 * at);
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
void transpose_16(const uint16_t* from, int64_t from_row, uint16_t* to, int64_t to_row, int64_t rows,
                  int64_t columns) {
  transpose_any(from, from_row, to, to_row, rows, columns);
}
void transpose_32(const uint32_t* from, int64_t from_row, uint32_t* to, int64_t to_row, int64_t rows,
                  int64_t columns) {
  transpose_any(from, from_row, to, to_row, rows, columns);
}
void transpose_64(const uint64_t* from, int64_t from_row, uint64_t* to, int64_t to_row, int64_t rows,
                  int64_t columns) {
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
