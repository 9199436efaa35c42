// The steps of a maximum pool that remembers where its maxima stand, in double: of equal ones the first in the plane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace sdx::ops {

inline constexpr int64_t kNowhere = std::numeric_limits<int64_t>::max();  // of padding, after every place

struct IndexSteps {
  // Of columns i < count: the largest base[offsets[k] + i], and its place offsets[k] + first + i.
  void (*down)(const double* base, const int64_t* offsets, size_t rows, int64_t first, size_t count, double* best,
               int64_t* places);
  // Of windows i < count: the largest best[i * stride + k * dilation] for k < kernel, and its place.
  void (*along)(const double* best, const int64_t* places, size_t kernel, size_t stride, size_t dilation, size_t count,
                double* y, int64_t* y_places);
};
IndexSteps index_steps();

}  // namespace sdx::ops
