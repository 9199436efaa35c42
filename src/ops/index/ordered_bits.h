// Numbers as unsigned integers of the same order: NaN above all, both zeros equal.
#pragma once

#include <bit>
#include <type_traits>

#include "base/float_format.h"

namespace sdx::ops {

// Of a floating type by its bits: sign, magnitude, and the magnitude of infinity.
template <typename U>
constexpr U ordered_float(U bits, U infinity) {
  constexpr U kSign = static_cast<U>(U{1} << (8 * sizeof(U) - 1));
  const U magnitude = bits & static_cast<U>(~kSign);
  if (magnitude > infinity) return static_cast<U>(~U{0});
  return magnitude == bits || magnitude == 0 ? static_cast<U>(magnitude | kSign) : static_cast<U>(~bits);
}

template <typename T>
auto ordered_bits(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return ordered_float(std::bit_cast<uint32_t>(value), uint32_t{0x7f800000});
  } else if constexpr (std::is_same_v<T, double>) {
    return ordered_float(std::bit_cast<uint64_t>(value), uint64_t{0x7ff0000000000000});
  } else if constexpr (std::is_same_v<T, f16>) {
    return ordered_float(std::bit_cast<uint16_t>(value), uint16_t{0x7c00});
  } else if constexpr (std::is_same_v<T, bf16>) {
    return ordered_float(std::bit_cast<uint16_t>(value), uint16_t{0x7f80});
  } else if constexpr (std::is_same_v<T, bool>) {
    return static_cast<uint8_t>(value);
  } else {
    using U = std::make_unsigned_t<T>;
    constexpr U kSign = std::is_signed_v<T> ? static_cast<U>(U{1} << (8 * sizeof(U) - 1)) : U{0};
    return static_cast<U>(static_cast<U>(value) ^ kSign);
  }
}

}  // namespace sdx::ops
