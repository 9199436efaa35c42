// A tensor seen along one of its axes: [outer, size, inner] in row-major order.
#pragma once

#include "base/shape.h"

namespace sdx::ops {

struct AxisView {
  int64_t outer = 1, size = 1, inner = 1;

  AxisView() = default;
  AxisView(std::span<const int64_t> shape, int axis) {
    if (shape.empty()) return;  // a scalar: one element along its imagined axis
    outer = count_range(shape, 0, static_cast<size_t>(axis));
    size = shape[static_cast<size_t>(axis)];
    inner = count_range(shape, static_cast<size_t>(axis) + 1, shape.size());
  }
  int64_t lines() const { return outer * inner; }
  // Index of the first element of a line; the next ones follow in steps of `inner`.
  int64_t first_of(int64_t line) const { return line / inner * size * inner + line % inner; }
};

}  // namespace sdx::ops
