// Strided copies, parallel: rows by memcpy, repeated elements by filling, transposed planes tile by tile.
#include <cstring>
#include <type_traits>

#include "ops/shape/copy_row.h"
#include "ops/shape/strided.h"
#include "ops/shape/transpose_tile.h"

namespace sdx::ops {
namespace {

constexpr int64_t kBlockBytes = 65536;  // of one parallel block

// Position in the outer dimensions of a copy.
class Walker {
 public:
  Walker(const StridedCopy& outer, int64_t index)
      : axes_(outer.shape.size()),
        shape_(outer.shape.data()),
        from_strides_(outer.from_strides.data()),
        to_strides_(outer.to_strides.data()),
        places_(outer.shape.size()),
        place_(places_.data()) {
    for (size_t axis = axes_; axis-- > 0; index /= shape_[axis]) {
      place_[axis] = index % shape_[axis];
      from_ += place_[axis] * from_strides_[axis];
      to_ += place_[axis] * to_strides_[axis];
    }
  }
  int64_t from() const { return from_; }
  int64_t to() const { return to_; }
  void next() { move(1); }
  // Along the last dimension: how many positions there are from here on, and the strides.
  int64_t left() const { return axes_ == 0 ? 1 : shape_[axes_ - 1] - place_[axes_ - 1]; }
  int64_t from_stride() const { return axes_ == 0 ? 0 : from_strides_[axes_ - 1]; }
  int64_t to_stride() const { return axes_ == 0 ? 0 : to_strides_[axes_ - 1]; }
  // `count` positions on, at most `left`.
  void move(int64_t count) {
    for (size_t axis = axes_; axis-- > 0; count = 1) {
      from_ += count * from_strides_[axis];
      to_ += count * to_strides_[axis];
      if ((place_[axis] += count) < shape_[axis]) return;
      from_ -= from_strides_[axis] * shape_[axis];
      to_ -= to_strides_[axis] * shape_[axis];
      place_[axis] = 0;
    }
  }

 private:
  size_t axes_;
  const int64_t *shape_, *from_strides_, *to_strides_;
  Shape places_;
  int64_t* place_;
  int64_t from_ = 0, to_ = 0;
};

StridedCopy without_unit_dimensions(const StridedCopy& copy) {
  StridedCopy out;
  for (size_t i = 0; i < copy.shape.size(); ++i) {
    if (copy.shape[i] == 1) continue;
    if (!out.shape.empty() && out.from_strides.back() == copy.from_strides[i] * copy.shape[i] &&
        out.to_strides.back() == copy.to_strides[i] * copy.shape[i]) {
      out.shape.back() *= copy.shape[i];
      out.from_strides.back() = copy.from_strides[i];
      out.to_strides.back() = copy.to_strides[i];
    } else {
      out.shape.push_back(copy.shape[i]);
      out.from_strides.push_back(copy.from_strides[i]);
      out.to_strides.push_back(copy.to_strides[i]);
    }
  }
  return out;
}

void remove_axis(StridedCopy& copy, size_t axis) {
  copy.shape.erase(axis);
  copy.from_strides.erase(axis);
  copy.to_strides.erase(axis);
}

struct Sixteen {
  uint64_t low, high;
};

template <typename T>
Status copy_planes(KernelContext& ctx, StridedCopy outer, const T* from, T* to) {
  // The last dimension is contiguous in `to`; find the one that is contiguous in `from`.
  const size_t inner = outer.shape.size() - 1;
  size_t other = 0;
  while (outer.from_strides[other] != 1) ++other;
  const int64_t rows = outer.shape[inner], from_row = outer.from_strides[inner];
  const int64_t columns = outer.shape[other], to_row = outer.to_strides[other];
  remove_axis(outer, inner);
  remove_axis(outer, other);
  const TransposeTile<T> transpose = transpose_tile<T>();
  constexpr int64_t kTile = sizeof(T) == 1 ? 128 : sizeof(T) < 8 ? 64 : 32;
  const int64_t column_tile = std::min(columns, std::max(kTile, kTile * kTile / rows));
  const int64_t row_tile = kTile * kTile / column_tile;
  const int64_t strips = (columns + column_tile - 1) / column_tile;
  const int64_t strip_bytes = rows * column_tile * static_cast<int64_t>(sizeof(T));
  return parallel_ranges(ctx, count_of(outer.shape) * strips, std::max<int64_t>(1, kBlockBytes / strip_bytes),
                         [&](int64_t begin, int64_t end) {
                           Walker at(outer, begin / strips);
                           for (int64_t strip = begin, c = begin % strips * column_tile; strip < end; ++strip) {
                             for (int64_t r = 0; r < rows; r += row_tile)
                               transpose(from + at.from() + r * from_row + c, from_row, to + at.to() + c * to_row + r,
                                         to_row, std::min(row_tile, rows - r), std::min(column_tile, columns - c));
                             c += column_tile;
                             if (c < columns) continue;
                             c = 0;
                             at.next();
                           }
                         });
}

// A number of elements that the compiler knows, each row.
template <int64_t kCount, typename T>
void copy_few(const T* from, int64_t from_step, int64_t from_row, T* to, int64_t to_step, int64_t to_row,
              int64_t rows) {
  for (int64_t row = 0; row < rows; ++row, from += from_row, to += to_row)
    for (int64_t i = 0; i < kCount; ++i) to[i * to_step] = from[i * from_step];
}

// Rows of at most two vectors that overlap.
template <size_t kBytes, typename T>
void copy_short(const T* from, int64_t from_row, T* to, int64_t to_row, int64_t rows, size_t bytes) {
  for (int64_t row = 0; row < rows; ++row, from += from_row, to += to_row)
    copy_two<kBytes>(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(from), bytes);
}

// `count` elements of each of `rows` rows.
template <typename T>
void copy_rows(const T* from, int64_t from_step, int64_t from_row, T* to, int64_t to_step, int64_t to_row,
               int64_t count, int64_t rows) {
  switch (count) {
    case 1: return copy_few<1>(from, 0, from_row, to, 0, to_row, rows);
    case 2: return copy_few<2>(from, from_step, from_row, to, to_step, to_row, rows);
    case 3: return copy_few<3>(from, from_step, from_row, to, to_step, to_row, rows);
    case 4: return copy_few<4>(from, from_step, from_row, to, to_step, to_row, rows);
    default: break;
  }
  const size_t bytes = static_cast<size_t>(count) * sizeof(T);
  if (from_step == 1 && to_step == 1) {
    if (bytes >= 16 && bytes <= 32) return copy_short<16>(from, from_row, to, to_row, rows, bytes);
    if (bytes > 32 && bytes <= 64) return copy_short<32>(from, from_row, to, to_row, rows, bytes);
    for (int64_t row = 0; row < rows; ++row) std::memcpy(to + row * to_row, from + row * from_row, bytes);
  } else if (from_step == 0 && to_step == 1) {
    for (int64_t row = 0; row < rows; ++row) std::fill_n(to + row * to_row, count, from[row * from_row]);
  } else if (to_step == 1 && from_step == 2) {
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < count; ++i) to[row * to_row + i] = from[row * from_row + 2 * i];
  } else if (to_step == 1 && from_step == -1) {
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < count; ++i) to[row * to_row + i] = from[row * from_row - i];
  } else {
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < count; ++i) to[row * to_row + i * to_step] = from[row * from_row + i * from_step];
  }
}

template <typename T>
Status copy_typed(KernelContext& ctx, StridedCopy outer, const T* from, T* to) {
  if (outer.shape.empty()) {
    *to = *from;
    return {};
  }
  const size_t inner = outer.shape.size() - 1;
  const int64_t count = outer.shape[inner];
  const int64_t from_step = outer.from_strides[inner], to_step = outer.to_strides[inner];
  if (to_step == 1 && from_step > 1 && count > 1)
    for (size_t axis = 0; axis < inner; ++axis)
      if (outer.from_strides[axis] == 1) {
        if constexpr (std::is_integral_v<T>) return copy_planes(ctx, std::move(outer), from, to);
      }
  remove_axis(outer, inner);
  const int64_t rows = count_of(outer.shape);
  const int64_t piece = kBlockBytes / static_cast<int64_t>(sizeof(T));
  if (count > piece) {
    const int64_t pieces = (count + piece - 1) / piece;
    return parallel_ranges(ctx, rows * pieces, 1, [&](int64_t block, int64_t) {
      const Walker at(outer, block / pieces);
      const int64_t first = block % pieces * piece;
      copy_rows(from + at.from() + first * from_step, from_step, 0, to + at.to() + first * to_step, to_step, 0,
                std::min(piece, count - first), 1);
    });
  }
  return parallel_ranges(ctx, rows, piece / count, [&](int64_t begin, int64_t end) {
    Walker at(outer, begin);
    for (int64_t row = begin, some = 0; row < end; row += some, at.move(some)) {
      some = std::min(at.left(), end - row);
      copy_rows(from + at.from(), from_step, at.from_stride(), to + at.to(), to_step, at.to_stride(), count, some);
    }
  });
}

// Rows of whole words are copied as words.
bool widen(StridedCopy& copy, size_t width) {
  if (copy.shape.empty() || copy.from_strides.back() != 1 || copy.to_strides.back() != 1) return false;
  if (width >= 8 || copy.shape.back() % 2 != 0) return false;
  for (size_t i = 0; i + 1 < copy.shape.size(); ++i)
    if (copy.from_strides[i] % 2 != 0 || copy.to_strides[i] % 2 != 0) return false;
  copy.shape.back() /= 2;
  for (size_t i = 0; i + 1 < copy.shape.size(); ++i) {
    copy.from_strides[i] /= 2;
    copy.to_strides[i] /= 2;
  }
  return true;
}

}  // namespace

Status copy_strided(KernelContext& ctx, size_t width, StridedCopy copy, const std::byte* from, std::byte* to) {
  if (count_of(copy.shape) == 0) return {};
  copy = without_unit_dimensions(copy);
  const auto as = [&]<typename T>(T) {
    return copy_typed(ctx, copy, reinterpret_cast<const T*>(from), reinterpret_cast<T*>(to));
  };
  while (width < 8 && (reinterpret_cast<uintptr_t>(from) | reinterpret_cast<uintptr_t>(to)) % (2 * width) == 0 &&
         copy.shape.size() > 0 && widen(copy, width)) {
    width *= 2;
    copy = without_unit_dimensions(copy);
  }
  switch (width) {
    case 1: return as(uint8_t{});
    case 2: return as(uint16_t{});
    case 4: return as(uint32_t{});
    case 8: return as(uint64_t{});
    default: return as(Sixteen{});
  }
}

}  // namespace sdx::ops
