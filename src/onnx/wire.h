// Wire types of protobuf, as its encoding guide numbers them.
#pragma once

#include <cstdint>
#include <type_traits>

namespace sdx::onnx {

enum Wire : uint32_t { kVarint = 0, kFixed64 = 1, kDelimited = 2, kGroup = 3, kGroupEnd = 4, kFixed32 = 5 };

// The wire type of one number of a field declared as T.
template <typename T>
constexpr Wire wire_of() {
  if constexpr (std::is_same_v<T, float>) return kFixed32;
  if constexpr (std::is_same_v<T, double>) return kFixed64;
  return kVarint;
}

}  // namespace sdx::onnx
