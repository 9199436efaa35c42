// The inner loops of Resize that interpolates, one table of functions per SIMD level.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sdx::ops {

// Column i of `size` elements is the sum of weight[k] * column index[k] for k in [begin[i], begin[i + 1]).
struct BlendColumns {
  const int32_t* begin = nullptr;
  const int32_t* index = nullptr;
  const float* weight = nullptr;
  size_t count = 0, size = 0;
};

struct ResizeBlend {
  // to[j] = sum of weights[k] * rows[k][j].
  void (*rows)(const float* const* rows, const float* weights, size_t taps, size_t size, float* to);
  void (*columns)(const float* x, const BlendColumns& columns, float* to);
  void (*from_u8)(const void* from, float* to, size_t count);
  void (*from_i8)(const void* from, float* to, size_t count);
  // Down to the next whole number, or to the nearest (`rounds`), as far as the type goes. What is a little below a
  // whole number is that number: exact sums are.
  void (*to_u8)(const float* from, bool rounds, void* to, size_t count);
  void (*to_i8)(const float* from, bool rounds, void* to, size_t count);
};
ResizeBlend resize_blend();

}  // namespace sdx::ops
