#include "base/float_format.h"

#include <cmath>
#include <limits>

#include "base/status.h"

namespace sdx {
namespace {

enum class Specials : uint8_t {
  ieee,    // infinity, then NaNs, in the last exponent
  fn,      // no infinity; NaN where all exponent and mantissa bits are set
  fnuz,    // no infinity, no -0; NaN is the code of -0
  finite,  // neither infinity nor NaN
};

struct Format {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;
};

constexpr Format format_of(DType type) {
  switch (type) {
    case DType::f16: return {5, 10, 15, Specials::ieee};
    case DType::bf16: return {8, 7, 127, Specials::ieee};
    case DType::f8e4m3fn: return {4, 3, 7, Specials::fn};
    case DType::f8e4m3fnuz: return {4, 3, 8, Specials::fnuz};
    case DType::f8e5m2: return {5, 2, 15, Specials::ieee};
    case DType::f8e5m2fnuz: return {5, 2, 16, Specials::fnuz};
    case DType::f4e2m1: return {2, 1, 1, Specials::finite};
    case DType::f6e2m3: return {2, 3, 1, Specials::finite};
    case DType::f6e3m2: return {3, 2, 3, Specials::finite};
    default: return {0, 0, 0, Specials::finite};
  }
}

struct Codes {
  uint32_t sign;      // the sign bit
  uint32_t largest;   // largest finite magnitude
  uint32_t infinity;  // or what stands for it
  uint32_t nan;
};

constexpr Codes codes_of(const Format& f) {
  const uint32_t sign = 1u << (f.exponent_bits + f.mantissa_bits);
  const uint32_t all = sign - 1;
  const uint32_t last_exponent = all >> f.mantissa_bits << f.mantissa_bits;
  switch (f.specials) {
    case Specials::ieee: return {sign, last_exponent - 1, last_exponent, last_exponent | (1u << (f.mantissa_bits - 1))};
    case Specials::fn: return {sign, all - 1, all, all};
    case Specials::fnuz: return {sign, all, sign, sign};
    case Specials::finite: return {sign, all, all, sign};
  }
  return {};
}

double decode_e8m0(uint32_t code) {
  return code == 0xFF ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, static_cast<int>(code) - 127);
}

uint32_t encode_e8m0(double value, Overflow overflow, RoundMode round) {
  constexpr uint32_t kNan = 0xFF, kLargest = 0xFE;
  const bool saturate = overflow == Overflow::saturate;
  if (std::isnan(value) || value < 0) return kNan;
  if (std::isinf(value)) return saturate ? kLargest : kNan;
  if (value < std::ldexp(1.0, -127)) return saturate ? 0 : kNan;  // zero too: the format has none
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // value = fraction * 2^exponent, fraction in [0.5, 1)
  int power = exponent - 1;
  const bool exact = fraction == 0.5;
  if (round == RoundMode::up && !exact) ++power;
  if (round == RoundMode::nearest && fraction >= 0.75) ++power;  // 1.5 * 2^p is the middle; ties go up
  const int code = power + 127;
  if (code > static_cast<int>(kLargest)) return saturate ? kLargest : kNan;
  return static_cast<uint32_t>(code);
}

}  // namespace

double decode_float(DType type, uint32_t code) {
  if (type == DType::f8e8m0) return decode_e8m0(code & 0xFF);
  const Format f = format_of(type);
  SDX_CHECK(f.exponent_bits > 0, "decode_float: not a small floating type");
  const Codes codes = codes_of(f);
  const bool negative = (code & codes.sign) != 0;
  const uint32_t magnitude = code & (codes.sign - 1);
  if (f.specials == Specials::fnuz && code == codes.nan) return std::numeric_limits<double>::quiet_NaN();
  if (f.specials == Specials::fn && magnitude == codes.nan) return std::numeric_limits<double>::quiet_NaN();
  if (f.specials == Specials::ieee && magnitude >= codes.infinity) {
    const double special = magnitude == codes.infinity ? std::numeric_limits<double>::infinity()
                                                       : std::numeric_limits<double>::quiet_NaN();
    return negative ? -special : special;
  }
  const int exponent = static_cast<int>(magnitude >> f.mantissa_bits);
  const uint32_t mantissa = magnitude & ((1u << f.mantissa_bits) - 1);
  const double value = exponent == 0
                           ? std::ldexp(mantissa, 1 - f.bias - f.mantissa_bits)
                           : std::ldexp(mantissa | (1u << f.mantissa_bits), exponent - f.bias - f.mantissa_bits);
  return negative ? -value : value;
}

uint32_t encode_float(DType type, double value, Overflow overflow, RoundMode round) {
  if (type == DType::f8e8m0) return encode_e8m0(value, overflow, round);
  const Format f = format_of(type);
  SDX_CHECK(f.exponent_bits > 0, "encode_float: not a small floating type");
  const Codes codes = codes_of(f);
  const bool always_special = type == DType::f16 || type == DType::bf16;
  const uint32_t sign = std::signbit(value) ? codes.sign : 0;
  // Formats without NaN: -0, as in onnx.reference.
  if (std::isnan(value))
    return f.specials == Specials::finite ? codes.sign : codes.nan | (f.specials == Specials::fnuz ? 0 : sign);
  const bool saturate = !always_special && (overflow == Overflow::saturate || f.specials == Specials::finite);
  const uint32_t beyond = saturate                       ? codes.largest | sign
                          : f.specials == Specials::fnuz ? codes.nan
                                                         : codes.infinity | sign;
  if (std::isinf(value)) return beyond;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return f.specials == Specials::fnuz ? 0 : sign;

  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int smallest = 1 - f.bias;  // exponent of the smallest normal number
  const int power = exponent - 1 < smallest ? smallest : exponent - 1;
  const double scaled = std::ldexp(magnitude, f.mantissa_bits - power);  // integer part: the significand
  double whole = std::floor(scaled);
  const double rest = scaled - whole;
  if (rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) != 0)) whole += 1;
  // Adding the significand to the exponent field below it carries into the exponent where rounding reached the next
  // power.
  const int64_t code = (static_cast<int64_t>(power - smallest) << f.mantissa_bits) + static_cast<int64_t>(whole);
  if (code > static_cast<int64_t>(codes.largest)) return beyond;
  if (code == 0 && f.specials == Specials::fnuz) return 0;
  return static_cast<uint32_t>(code) | sign;
}

}  // namespace sdx
