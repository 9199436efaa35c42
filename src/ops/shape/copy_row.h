// Rows of bytes that are too short for a call.
#pragma once

#include <cstddef>
#include <cstring>

namespace sdx::ops {

template <size_t kBytes>
inline void copy_two(std::byte* to, const std::byte* from, size_t bytes) {
  std::byte first[kBytes], last[kBytes];
  std::memcpy(first, from, kBytes);
  std::memcpy(last, from + bytes - kBytes, kBytes);
  std::memcpy(to, first, kBytes);
  std::memcpy(to + bytes - kBytes, last, kBytes);
}

// As memcpy: two pieces that may overlap where that is enough.
inline void copy_row(std::byte* to, const std::byte* from, size_t bytes) {
  if (bytes >= 16 && bytes <= 32) return copy_two<16>(to, from, bytes);
  if (bytes > 32 && bytes <= 64) return copy_two<32>(to, from, bytes);
  if (bytes >= 4 && bytes < 8) return copy_two<4>(to, from, bytes);
  if (bytes >= 8 && bytes < 16) return copy_two<8>(to, from, bytes);
  if (bytes > 0) std::memcpy(to, from, bytes);
}

}  // namespace sdx::ops
