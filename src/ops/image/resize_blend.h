// The inner loops of Resize that interpolates, one table of functions per SIMD level.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/dtype.h"

namespace sdx::ops {

inline constexpr size_t kResizeLanes = 16;

// Column i of `size` elements is the sum of weight[k] * column index[k] for k in [begin[i], begin[i + 1]).
template <typename T>
struct BlendColumns {
  const int32_t* begin = nullptr;
  const int32_t* index = nullptr;
  const T* weight = nullptr;
  size_t count = 0, size = 0;
};

template <typename T>
struct ResizeBlend {
  // to[j] = sum of weights[k] * rows[k][j].
  void (*rows)(const T* const* rows, const T* weights, size_t taps, size_t size, T* to);
  void (*columns)(const T* x, const BlendColumns<T>& columns, T* to);
};
template <typename T>
ResizeBlend<T> resize_blend();

// Some rows (at most 16), one after another, to elements of 16 lanes and back.
struct TurnDoubles {
  void (*to_lanes)(const double* from, size_t rows, size_t size, double* to);
  void (*to_rows)(const double* from, size_t rows, size_t size, double* to);
};
TurnDoubles turn_doubles();

// Integers as doubles; back as Resize stores them (resize.cc). Null of types that it does not know.
struct IntegerRows {
  void (*widen)(const void* from, double* to, size_t count);
  void (*narrow)(const double* from, bool rounds, void* to, size_t count);
};
IntegerRows integer_rows(DType type);

inline constexpr double kAlmostWhole = 1e-9;  // a sum that misses a whole number by less is that number

}  // namespace sdx::ops
