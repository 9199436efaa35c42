// Strided copies, parallel: rows by memcpy, repeated elements by filling, transposed planes tile by tile.
#include <cstring>
#include <type_traits>
#include <utility>

#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

constexpr int64_t kBlockBytes = 65536;  // of one parallel block
constexpr int64_t kTile = 32;

// Position in the outer dimensions of a copy.
class Walker {
 public:
  Walker(const StridedCopy& outer, int64_t index) : outer_(outer), position_(outer.shape.size()) {
    for (size_t axis = outer.shape.size(); axis-- > 0;) {
      position_[axis] = index % outer.shape[axis];
      index /= outer.shape[axis];
      from_ += position_[axis] * outer.from_strides[axis];
      to_ += position_[axis] * outer.to_strides[axis];
    }
  }
  int64_t from() const { return from_; }
  int64_t to() const { return to_; }
  void next() {
    for (size_t axis = outer_.shape.size(); axis-- > 0;) {
      from_ += outer_.from_strides[axis];
      to_ += outer_.to_strides[axis];
      if (++position_[axis] < outer_.shape[axis]) return;
      from_ -= outer_.from_strides[axis] * outer_.shape[axis];
      to_ -= outer_.to_strides[axis] * outer_.shape[axis];
      position_[axis] = 0;
    }
  }

 private:
  const StridedCopy& outer_;
  Shape position_;
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

// A plane with contiguous columns in `from` and contiguous rows in `to`: to[c * to_row + r] = from[r * from_row + c].
template <typename T>
void transpose_any(const T* from, int64_t from_row, T* to, int64_t to_row, int64_t rows, int64_t columns) {
  for (int64_t c = 0; c < columns; ++c)
    for (int64_t r = 0; r < rows; ++r) to[c * to_row + r] = from[r * from_row + c];
}

using Four = uint32_t __attribute__((vector_size(16)));
using Eight = uint16_t __attribute__((vector_size(16)));
using SixteenBytes = uint8_t __attribute__((vector_size(16)));
static_assert(sizeof(Four) == 16 && sizeof(Eight) == 16);

template <typename V, typename T>
V load_vector(const T* p) {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

void transpose_four(const uint32_t* from, int64_t from_row, uint32_t* to, int64_t to_row) {
  const Four a = load_vector<Four>(from), b = load_vector<Four>(from + from_row);
  const Four c = load_vector<Four>(from + 2 * from_row), d = load_vector<Four>(from + 3 * from_row);
  const Four ac_low = __builtin_shufflevector(a, c, 0, 4, 1, 5), ac_high = __builtin_shufflevector(a, c, 2, 6, 3, 7);
  const Four bd_low = __builtin_shufflevector(b, d, 0, 4, 1, 5), bd_high = __builtin_shufflevector(b, d, 2, 6, 3, 7);
  const Four out[4] = {
      __builtin_shufflevector(ac_low, bd_low, 0, 4, 1, 5), __builtin_shufflevector(ac_low, bd_low, 2, 6, 3, 7),
      __builtin_shufflevector(ac_high, bd_high, 0, 4, 1, 5), __builtin_shufflevector(ac_high, bd_high, 2, 6, 3, 7)};
  for (int64_t i = 0; i < 4; ++i) std::memcpy(to + i * to_row, &out[i], sizeof out[i]);
}

Eight interleave_low(Eight a, Eight b) { return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11); }
Eight interleave_high(Eight a, Eight b) { return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15); }

// Three rounds that interleave row i with row i + 4.
void transpose_eight(const uint16_t* from, int64_t from_row, uint16_t* to, int64_t to_row) {
  Eight v[8], w[8];
  for (int64_t i = 0; i < 8; ++i) v[i] = load_vector<Eight>(from + i * from_row);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 4; ++i) {
      w[2 * i] = interleave_low(v[i], v[i + 4]);
      w[2 * i + 1] = interleave_high(v[i], v[i + 4]);
    }
    for (int i = 0; i < 8; ++i) v[i] = w[i];
  }
  for (int64_t i = 0; i < 8; ++i) std::memcpy(to + i * to_row, &v[i], sizeof v[i]);
}

// Part kPart of three rows, interleaved: places i of a vector.
template <typename V, size_t kPart, size_t... i>
V interleaved_part(V a, V b, V c, std::index_sequence<i...>) {
  constexpr size_t kLanes = sizeof...(i), kFirst = kPart * kLanes;
  constexpr auto from_ab = [](size_t at) -> int {
    return static_cast<int>(at % 3 == 0 ? at / 3 : at % 3 == 1 ? kLanes + at / 3 : 0);
  };
  constexpr auto from_c = [](size_t place, size_t at) -> int {
    return static_cast<int>(at % 3 == 2 ? kLanes + at / 3 : place);
  };
  const V ab = __builtin_shufflevector(a, b, from_ab(kFirst + i)...);
  return __builtin_shufflevector(ab, c, from_c(i, kFirst + i)...);
}

// The colours of pixels: three rows, and columns that lie together.
template <typename T, typename V>
void interleave_three(const T* from, int64_t from_row, T* to, int64_t columns) {
  constexpr int64_t kLanes = 16 / static_cast<int64_t>(sizeof(T));
  constexpr auto kPlaces = std::make_index_sequence<static_cast<size_t>(kLanes)>();
  int64_t c = 0;
  for (; c + kLanes <= columns; c += kLanes) {
    const V x = load_vector<V>(from + c), y = load_vector<V>(from + from_row + c);
    const V z = load_vector<V>(from + 2 * from_row + c);
    const V out[3] = {interleaved_part<V, 0>(x, y, z, kPlaces), interleaved_part<V, 1>(x, y, z, kPlaces),
                      interleaved_part<V, 2>(x, y, z, kPlaces)};
    std::memcpy(to + 3 * c, out, sizeof out);
  }
  transpose_any(from + c, from_row, to + 3 * c, 3, 3, columns - c);
}

template <typename T>
void transpose_tile(const T* from, int64_t from_row, T* to, int64_t to_row, int64_t rows, int64_t columns) {
  constexpr int64_t kBlock = sizeof(T) == 4 ? 4 : sizeof(T) == 2 ? 8 : 0;
  if constexpr (sizeof(T) <= 4) {
    using V = std::conditional_t<sizeof(T) == 4, Four, std::conditional_t<sizeof(T) == 2, Eight, SixteenBytes>>;
    if (rows == 3 && to_row == 3) return interleave_three<T, V>(from, from_row, to, columns);
  }
  if constexpr (kBlock == 0) {
    transpose_any(from, from_row, to, to_row, rows, columns);
  } else {
    const int64_t whole_rows = rows / kBlock * kBlock, whole_columns = columns / kBlock * kBlock;
    for (int64_t r = 0; r < whole_rows; r += kBlock) {
      for (int64_t c = 0; c < whole_columns; c += kBlock) {
        if constexpr (kBlock == 4) transpose_four(from + r * from_row + c, from_row, to + c * to_row + r, to_row);
        if constexpr (kBlock == 8) transpose_eight(from + r * from_row + c, from_row, to + c * to_row + r, to_row);
      }
    }
    transpose_any(from + whole_columns, from_row, to + whole_columns * to_row, to_row, whole_rows,
                  columns - whole_columns);
    transpose_any(from + whole_rows * from_row, from_row, to + whole_rows, to_row, rows - whole_rows, columns);
  }
}

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
  const int64_t column_tile = std::min(columns, std::max(kTile, kTile * kTile / rows));
  const int64_t row_tile = kTile * kTile / column_tile;
  const int64_t strips = (columns + column_tile - 1) / column_tile;
  const int64_t strip_bytes = rows * column_tile * static_cast<int64_t>(sizeof(T));
  return parallel_ranges(ctx, count_of(outer.shape) * strips, std::max<int64_t>(1, kBlockBytes / strip_bytes),
                         [&](int64_t begin, int64_t end) {
                           for (int64_t strip = begin; strip < end; ++strip) {
                             const Walker at(outer, strip / strips);
                             const int64_t c = strip % strips * column_tile;
                             for (int64_t r = 0; r < rows; r += row_tile)
                               transpose_tile(from + at.from() + r * from_row + c, from_row,
                                              to + at.to() + c * to_row + r, to_row, std::min(row_tile, rows - r),
                                              std::min(column_tile, columns - c));
                           }
                         });
}

template <typename T>
void copy_row(const T* from, int64_t from_step, T* to, int64_t to_step, int64_t count) {
  if (from_step == 1 && to_step == 1) {
    if (count * sizeof(T) > 64) {
      std::memcpy(to, from, static_cast<size_t>(count) * sizeof(T));
    } else {
      for (int64_t i = 0; i < count; ++i) to[i] = from[i];
    }
  } else if (from_step == 0 && to_step == 1) {
    std::fill_n(to, count, *from);
  } else {
    for (int64_t i = 0; i < count; ++i) to[i * to_step] = from[i * from_step];
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
      if (outer.from_strides[axis] == 1) return copy_planes(ctx, std::move(outer), from, to);
  remove_axis(outer, inner);
  const int64_t rows = count_of(outer.shape);
  const int64_t piece = kBlockBytes / static_cast<int64_t>(sizeof(T));
  if (count > piece) {
    const int64_t pieces = (count + piece - 1) / piece;
    return parallel_ranges(ctx, rows * pieces, 1, [&](int64_t block, int64_t) {
      const Walker at(outer, block / pieces);
      const int64_t first = block % pieces * piece;
      copy_row(from + at.from() + first * from_step, from_step, to + at.to() + first * to_step, to_step,
               std::min(piece, count - first));
    });
  }
  return parallel_ranges(ctx, rows, piece / count, [&](int64_t begin, int64_t end) {
    Walker at(outer, begin);
    for (int64_t row = begin; row < end; ++row, at.next())
      copy_row(from + at.from(), from_step, to + at.to(), to_step, count);
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
