// GatherElements and ScatterElements along rows of the indices: in the data, element j of a row lies at
// base + index * axis_stride + j * step.
#pragma once

#include <limits>

#include "ops/index/indices.h"

namespace sdx::ops {

struct ElementRows {
  int64_t rows = 1, length = 1, axis_size = 0, axis_stride = 0, step = 0;
  bool along_axis = true;  // rows run along the axis: no two rows meet in one element of the data
  Shape shape, strides;    // of the dimensions that rows are in

  ElementRows(std::span<const int64_t> data, std::span<const int64_t> indices, size_t axis) : axis_size(data[axis]) {
    const Shape full = row_major_strides(data);
    axis_stride = full[axis];
    std::vector<bool> is_axis;
    for (size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] == 1 && i != axis) continue;
      const int64_t stride = i == axis ? 0 : full[i];
      if (i != axis && !shape.empty() && !is_axis.back() && strides.back() == stride * indices[i]) {
        shape.back() *= indices[i];
        strides.back() = stride;
      } else {
        shape.push_back(indices[i]);
        strides.push_back(stride);
        is_axis.push_back(i == axis);
      }
    }
    length = shape.back();
    step = strides.back();
    along_axis = is_axis.back();
    shape.pop_back();
    strides.pop_back();
    rows = count_of(shape);
  }
  int64_t base(int64_t row) const {
    int64_t at = 0;
    for (size_t i = shape.size(); i-- > 0; row /= shape[i]) at += row % shape[i] * strides[i];
    return at;
  }
};

// All indices count from the beginning, and are inside.
template <typename Index>
bool all_plain(const Index* index, int64_t count, int64_t size) {
  if (size == 0) return count == 0;
  using Bits = std::make_unsigned_t<Index>;  // differences wrap
  const auto last = static_cast<Bits>(std::min<int64_t>(size - 1, std::numeric_limits<Index>::max()));
  Bits signs = 0;
  for (int64_t j = 0; j < count; ++j) signs |= static_cast<Bits>(index[j]) | (last - static_cast<Bits>(index[j]));
  return static_cast<Index>(signs) >= 0;
}

// The places in the data of `count` elements of a row that begins at `base`; false where an index is outside.
template <typename Index>
bool find_places(const ElementRows& rows, int64_t base, const Index* index, int64_t count, int64_t* places) {
  const int64_t size = rows.axis_size, stride = rows.axis_stride, step = rows.step;
  if (all_plain(index, count, size)) {
    if (stride == 1 && step == 0) {
      for (int64_t j = 0; j < count; ++j) places[j] = base + index[j];
    } else {
      for (int64_t j = 0; j < count; ++j) places[j] = base + int64_t{index[j]} * stride + j * step;
    }
    return true;
  }
  for (int64_t j = 0; j < count; ++j) {
    const int64_t given = index[j], at = given < 0 ? given + size : given;
    if (at < 0 || at >= size) return false;
    places[j] = base + at * stride + j * step;
  }
  return true;
}

}  // namespace sdx::ops
