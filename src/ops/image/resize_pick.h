// Rows whose elements are picked from another row, by shuffles of the bytes near each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sdx::ops {

// Input row `from` makes `copies` output rows.
struct PickedRows {
  int64_t from = 0, copies = 1;
  bool outside = false;  // takes extrapolation_value instead
};

// Elements of 1, 2, 4 or 8 bytes as units of 1 or 4. Unit i of block b of the output is units[b * lanes + i] from
// bases[b] on.
struct PickTable {
  size_t unit = 1, lanes = 0;  // bytes; units of a block
  size_t in = 0, out = 0;      // units of a row
  std::vector<int32_t> bases, units;
  bool is_far = false;  // units of 4 bytes only: up to 2 * lanes

  // False where a block's elements lie too far apart.
  bool make(const std::vector<int64_t>& index, size_t element, size_t in_elements);
  // Writes `count` runs of rows one after another; none outside.
  void (*pick)(const PickTable& table, const PickedRows* rows, size_t count, const std::byte* x,
               std::byte* y) = nullptr;
};

}  // namespace sdx::ops
