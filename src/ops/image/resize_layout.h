// How the kernels of Resize see a tensor, and the weights of an axis as they use them.
#pragma once

#include <optional>
#include <utility>

#include "ops/image/resize_taps.h"

namespace sdx::ops {

// [outer, depth, rows, columns, inner]: columns change, rows and depth may; axes that do not change are part of outer
// or inner where they can. Where one axis alone changes it is columns of few elements, or rows of whole columns.
struct ResizeLayout {
  static constexpr int64_t kWideColumn = 8;  // elements of a column that are blended as they lie

  int64_t outer = 1, inner = 1;
  ResizeAxis depth{.in = 1, .out = 1}, rows{.in = 1, .out = 1}, columns{.in = 1, .out = 1};

  int64_t in_row() const { return columns.in * inner; }
  int64_t out_row() const { return columns.out * inner; }
};

// Nullopt where axes change that are more than two apart.
std::optional<ResizeLayout> resize_layout(const Attributes& attributes, std::span<const ResizeAxis> axes);

// [begin, end) of positions one after another.
using Runs = std::vector<std::pair<int64_t, int64_t>>;
Runs runs_of(const std::vector<bool>& positions);

// Output position i is the sum of weight[k] * x[index[k]] for k in [begin[i], begin[i + 1]), no weight being zero.
struct ResizeTaps {
  bool identity = false;  // output position i is x[i]; nothing else is set
  std::vector<int32_t> begin, index;
  std::vector<double> weight;
  std::vector<bool> outside;  // takes extrapolation_value; empty: nowhere

  size_t first(int64_t i) const { return static_cast<size_t>(begin[static_cast<size_t>(i)]); }
  size_t end(int64_t i) const { return static_cast<size_t>(begin[static_cast<size_t>(i) + 1]); }
  bool is_outside(int64_t i) const { return !outside.empty() && outside[static_cast<size_t>(i)]; }
  int64_t most() const;  // taps of a position
};
Result<ResizeTaps> resize_taps(const Attributes& attributes, const ResizeAxis& axis);

}  // namespace sdx::ops
