// Keys that sort values and remember where they were.
#pragma once

#include <cstdint>
#include <type_traits>

namespace sdx::ops {

__extension__ using Wide = unsigned __int128;

// A value in its order (ordered_bits) and an index as one number: larger values are larger, then lower indices.
template <typename U>
struct ValueKeys {
  using Key = std::conditional_t<sizeof(U) == 8, Wide, uint64_t>;
  static constexpr int kBits = 8 * sizeof(U);
  static Key of(U value, int64_t index) { return Key{value} << kBits | static_cast<U>(~static_cast<U>(index)); }
  static U value(Key key) { return static_cast<U>(key >> kBits); }
  static int64_t index(Key key) { return static_cast<int64_t>(static_cast<U>(~static_cast<U>(key))); }
};

}  // namespace sdx::ops
