// Floating formats narrower than 32 bits: exact decoding, correctly rounded (ties to even) encoding.
// Sources: IEEE 754 binary16; OCP 8-bit (E4M3, E5M2) and microscaling (E8M0, E2M1, E2M3, E3M2) formats; the FNUZ
// variants of arXiv:2206.02915; the table of conversions in the standard's Cast operator.
#pragma once

#include <bit>
#include <cstdint>

#include "base/dtype.h"

namespace sdx {

// What a value beyond the largest finite one becomes. `saturate` is the standard's default for the 8-bit formats;
// float16 and bfloat16 always overflow to infinity, formats without infinity or NaN always saturate.
enum class Overflow : uint8_t { saturate, special };
// Only float8e8m0 rounds other than to nearest.
enum class RoundMode : uint8_t { nearest, up, down };

double decode_float(DType type, uint32_t code);
uint32_t encode_float(DType type, double value, Overflow overflow = Overflow::saturate,
                      RoundMode round = RoundMode::up);

struct f16 {
  uint16_t bits = 0;
  f16() = default;
  explicit f16(double value) : bits(static_cast<uint16_t>(encode_float(DType::f16, value))) {}
  explicit operator double() const { return decode_float(DType::f16, bits); }
  explicit operator float() const { return static_cast<float>(decode_float(DType::f16, bits)); }
};

struct bf16 {
  uint16_t bits = 0;
  bf16() = default;
  explicit bf16(double value) : bits(static_cast<uint16_t>(encode_float(DType::bf16, value))) {}
  explicit operator double() const { return static_cast<float>(*this); }
  explicit operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }
};

}  // namespace sdx
