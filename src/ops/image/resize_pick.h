// Rows whose elements are picked from another row, by shuffles of the bytes near each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sdx::ops {

// Elements of 1, 2, 4 or 8 bytes as units of 1 or 4. Unit i of block b of the output is units[b * lanes + i] from
// bases[b] on.
struct PickTable {
  size_t unit = 1, lanes = 0;  // bytes; units of a block
  size_t in = 0, out = 0;      // units of a row
  std::vector<int32_t> bases, units;
  bool is_far = false;  // units of 4 bytes only: up to 2 * lanes

  // False where a block's elements lie too far apart.
  bool make(const std::vector<int64_t>& index, size_t element, size_t in_elements);
  // Writes the row `copies` times.
  void (*pick)(const PickTable& table, const std::byte* from, size_t copies, std::byte* to) = nullptr;
};

}  // namespace sdx::ops
