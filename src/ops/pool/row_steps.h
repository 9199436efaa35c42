// The steps of a pool over rows, at the SIMD level in force: the rows that windows reach are put together column by
// column, then the columns of each window.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sdx::ops {

inline constexpr size_t kRowSlack = 512;  // elements beyond the last window that `along` may read

template <typename T>
struct RowSteps {
  // Line r is made of base[offsets[k] + i] for starts[r] <= k < starts[r + 1], i < count.
  struct Down {
    const T* base;
    const int64_t *offsets, *starts;
    size_t lines, count;
    T* to;
    size_t pitch;
  };
  // Result i of a line is made of from[i * stride + k * dilation], k < kernel.
  struct Along {
    const T* from;
    size_t pitch, kernel, stride, dilation, lines, count;
    T* to;
    size_t to_pitch;
    const T* const* factors;  // of each line's results; null: none
  };
  // Lines copied, times their factors where there are such.
  struct Copy {
    const T* from;
    size_t pitch;
    const T* const* factors;
    size_t lines, count;
    T* to;
    size_t to_pitch;
  };
  T nothing;  // of no elements
  void (*down)(const Down& step);
  void (*along)(const Along& step);
  void (*copy)(const Copy& step);
};

// NaN where a window holds one. float, uint8_t
template <typename T>
const RowSteps<T>& row_maxima();
// float, double
template <typename T>
const RowSteps<T>& row_sums();

// What goes before sums and comes after them, in double.
struct RowMaps {
  void (*widen)(const float* x, size_t n, double* y);
  void (*narrow)(const double* x, size_t n, float* y);
  void (*magnitudes)(const double* x, size_t n, double* y);
  void (*squares)(const double* x, size_t n, double* y);
  void (*root)(const double* x, size_t n, double* y);
};
const RowMaps& row_maps();

}  // namespace sdx::ops
