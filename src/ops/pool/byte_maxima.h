// Largest bytes of windows over rows.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sdx::ops {

// Bytes are compared as unsigned ones once their highest bits are turned where `turned` says.
struct ByteMaxima {
  // to[i] = max(to[i], from[i]) for unsigned bytes.
  void (*widen)(const uint8_t* from, uint8_t turned, uint8_t* to, size_t count);
  // to[i] = the largest of from[i], from[i + step], ... (`taps` of them), turned back.
  void (*along)(const uint8_t* from, size_t taps, size_t step, uint8_t turned, uint8_t* to, size_t count);
};
ByteMaxima byte_maxima();

}  // namespace sdx::ops
