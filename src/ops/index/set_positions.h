// Which elements are not zero.
#pragma once

#include <cstdint>

namespace sdx::ops {

// Writes the positions of elements that have a bit of `mask`, ascending, and returns how many there are. `positions`
// has room for all.
template <typename Word>
int64_t set_positions(const Word* x, int64_t count, Word mask, uint32_t* positions) {
  int64_t found = 0;
  for (int64_t i = 0; i < count; ++i) {
    positions[found] = static_cast<uint32_t>(i);
    found += (x[i] & mask) != 0 ? 1 : 0;
  }
  return found;
}

template <typename Word>
int64_t count_set(const Word* x, int64_t count, Word mask) {
  int64_t found = 0;
  for (int64_t i = 0; i < count; ++i) found += (x[i] & mask) != 0 ? 1 : 0;
  return found;
}

}  // namespace sdx::ops
