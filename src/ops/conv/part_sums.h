// Sums of a transposed convolution's parts into rows of its output, at the SIMD level in force.
#pragma once

#include <cstdint>

namespace sdx::ops {

// Elements [first, last) of a row.
struct PartRange {
  int64_t first, last;
};

struct PartSums {
  // to[i] += row[i]
  void (*add)(const float* row, PartRange range, float* to);
  // to[2 i] += row[i], to[2 i + 1] += next[i], each in its own range
  void (*add_pairs)(const float* row, PartRange range, const float* next, PartRange next_range, float* to);
};
const PartSums& part_sums();

}  // namespace sdx::ops
