#include "base/float_format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "base/float_format_expected.h"

namespace sdx {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Table {
  DType type;
  double unit;
  std::span<const uint64_t> values;
};
const Table kTables[] = {
    {DType::f8e4m3fn, kF8e4m3fnUnit, kF8e4m3fn}, {DType::f8e4m3fnuz, kF8e4m3fnuzUnit, kF8e4m3fnuz},
    {DType::f8e5m2, kF8e5m2Unit, kF8e5m2},       {DType::f8e5m2fnuz, kF8e5m2fnuzUnit, kF8e5m2fnuz},
    {DType::f4e2m1, kF4e2m1Unit, kF4e2m1},       {DType::f6e2m3, kF6e2m3Unit, kF6e2m3},
    {DType::f6e3m2, kF6e3m2Unit, kF6e3m2},
};

bool has_negative_zero(DType type) { return type != DType::f8e4m3fnuz && type != DType::f8e5m2fnuz; }

TEST(float_format, decodes_every_code_of_the_small_types) {
  for (const auto& [type, unit, values] : kTables) {
    const auto half = static_cast<uint32_t>(values.size());
    ASSERT_EQ(half * 2, 1u << bit_width(type));
    for (uint32_t code = 0; code < half; ++code) {
      SCOPED_TRACE(std::string(name(type)) + " code " + std::to_string(code));
      const double plus = decode_float(type, code), minus = decode_float(type, code | half);
      if (values[code] == kNan) {
        EXPECT_TRUE(std::isnan(plus) && std::isnan(minus));
        continue;
      }
      const double wanted = values[code] == kInf ? kInfinity : static_cast<double>(values[code]) * unit;
      EXPECT_EQ(plus, wanted);
      EXPECT_FALSE(std::signbit(plus));
      if (code == 0 && !has_negative_zero(type)) {
        EXPECT_TRUE(std::isnan(minus));
        continue;
      }
      EXPECT_EQ(minus, -wanted);
      EXPECT_TRUE(std::signbit(minus));
    }
  }
}

// FNV-1a over the doubles of all 65536 codes, NaN as 0; the sums come from numpy and ml_dtypes.
uint64_t checksum_of_decoded(DType type) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint32_t code = 0; code < 65536; ++code) {
    const double value = decode_float(type, code);
    const auto bits = std::isnan(value) ? 0 : std::bit_cast<uint64_t>(value);
    for (int byte = 0; byte < 8; ++byte) hash = (hash ^ ((bits >> (8 * byte)) & 0xFF)) * 0x100000001b3u;
  }
  return hash;
}

TEST(float_format, decodes_every_code_of_f16_and_bf16) {
  EXPECT_EQ(checksum_of_decoded(DType::f16), 0x9b36eb6fa3b8b3a5u);
  EXPECT_EQ(checksum_of_decoded(DType::bf16), 0xb963c9f96e47ab25u);
}

// The two codes around each middle between neighbours: exactly the middle goes to the even one, anything else to the
// nearer.
TEST(float_format, rounds_to_nearest_even_everywhere) {
  std::vector<DType> types = {DType::f16, DType::bf16};
  for (const auto& table : kTables) types.push_back(table.type);
  for (const DType type : types) {
    const uint32_t sign = 1u << (bit_width(type) - 1);
    for (uint32_t code = 0; code + 1 < sign; ++code) {
      const double low = decode_float(type, code), high = decode_float(type, code + 1);
      if (!std::isfinite(low) || !std::isfinite(high)) break;
      const double middle = low + (high - low) / 2;
      const uint32_t even = code + (code & 1);
      for (const Overflow overflow : {Overflow::saturate, Overflow::special}) {
        ASSERT_EQ(encode_float(type, low, overflow), code) << name(type);
        ASSERT_EQ(encode_float(type, middle, overflow), even) << name(type) << " " << code;
        ASSERT_EQ(encode_float(type, std::nextafter(middle, 0), overflow), code) << name(type);
        ASSERT_EQ(encode_float(type, std::nextafter(middle, kInfinity), overflow), code + 1) << name(type);
        if (code == 0 && !has_negative_zero(type)) continue;
        ASSERT_EQ(encode_float(type, -low, overflow), code | sign) << name(type);
        if (even != 0 || has_negative_zero(type)) {
          ASSERT_EQ(encode_float(type, -middle, overflow), even | sign) << name(type);
        }
        ASSERT_EQ(encode_float(type, std::nextafter(-middle, -kInfinity), overflow), (code + 1) | sign) << name(type);
      }
    }
  }
}

struct Case {
  DType type;
  double value;
  uint32_t saturated;
  uint32_t special;
};

// The standard's two tables for Cast, and what lies around the largest finite value.
TEST(float_format, special_values_follow_the_tables_of_cast) {
  const Case cases[] = {
      {DType::f8e4m3fn, 0.0, 0x00, 0x00},
      {DType::f8e4m3fn, -0.0, 0x80, 0x80},
      {DType::f8e4m3fn, kNaN, 0x7F, 0x7F},
      {DType::f8e4m3fn, -kNaN, 0xFF, 0xFF},
      {DType::f8e4m3fn, kInfinity, 0x7E, 0x7F},
      {DType::f8e4m3fn, -kInfinity, 0xFE, 0xFF},
      {DType::f8e4m3fn, 464.0, 0x7E, 0x7E},
      {DType::f8e4m3fn, 464.1, 0x7E, 0x7F},
      {DType::f8e4m3fn, -1e300, 0xFE, 0xFF},
      {DType::f8e4m3fn, 1e-300, 0x00, 0x00},
      {DType::f8e4m3fnuz, 0.0, 0x00, 0x00},
      {DType::f8e4m3fnuz, -0.0, 0x00, 0x00},
      {DType::f8e4m3fnuz, kNaN, 0x80, 0x80},
      {DType::f8e4m3fnuz, -kNaN, 0x80, 0x80},
      {DType::f8e4m3fnuz, kInfinity, 0x7F, 0x80},
      {DType::f8e4m3fnuz, -kInfinity, 0xFF, 0x80},
      {DType::f8e4m3fnuz, 247.9, 0x7F, 0x7F},
      {DType::f8e4m3fnuz, 248.0, 0x7F, 0x80},
      {DType::f8e4m3fnuz, -248.0, 0xFF, 0x80},
      {DType::f8e4m3fnuz, -1e-300, 0x00, 0x00},
      {DType::f8e5m2, 0.0, 0x00, 0x00},
      {DType::f8e5m2, -0.0, 0x80, 0x80},
      {DType::f8e5m2, kNaN, 0x7E, 0x7E},
      {DType::f8e5m2, -kNaN, 0xFE, 0xFE},
      {DType::f8e5m2, kInfinity, 0x7B, 0x7C},
      {DType::f8e5m2, -kInfinity, 0xFB, 0xFC},
      {DType::f8e5m2, 61439.0, 0x7B, 0x7B},
      {DType::f8e5m2, 61440.0, 0x7B, 0x7C},
      {DType::f8e5m2fnuz, -0.0, 0x00, 0x00},
      {DType::f8e5m2fnuz, kNaN, 0x80, 0x80},
      {DType::f8e5m2fnuz, kInfinity, 0x7F, 0x80},
      {DType::f8e5m2fnuz, -kInfinity, 0xFF, 0x80},
      {DType::f8e5m2fnuz, 61439.0, 0x7F, 0x7F},
      {DType::f8e5m2fnuz, 61440.0, 0x7F, 0x80},
      {DType::f4e2m1, kInfinity, 0x7, 0x7},
      {DType::f4e2m1, -kInfinity, 0xF, 0xF},
      {DType::f4e2m1, kNaN, 0x8, 0x8},
      {DType::f4e2m1, -0.0, 0x8, 0x8},
      {DType::f6e2m3, 1e9, 0x1F, 0x1F},
      {DType::f6e2m3, -kInfinity, 0x3F, 0x3F},
      {DType::f6e3m2, 1e9, 0x1F, 0x1F},
      {DType::f6e3m2, kNaN, 0x20, 0x20},
      {DType::f16, kInfinity, 0x7C00, 0x7C00},
      {DType::f16, -kInfinity, 0xFC00, 0xFC00},
      {DType::f16, 65519.0, 0x7BFF, 0x7BFF},
      {DType::f16, 65520.0, 0x7C00, 0x7C00},
      {DType::f16, kNaN, 0x7E00, 0x7E00},
      {DType::f16, -0.0, 0x8000, 0x8000},
      {DType::bf16, 3.38e38, 0x7F7E, 0x7F7E},
      {DType::bf16, 3.4e38, 0x7F80, 0x7F80},
      {DType::bf16, kNaN, 0x7FC0, 0x7FC0},
      {DType::bf16, 5e-324, 0x0000, 0x0000},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(encode_float(c.type, c.value, Overflow::saturate), c.saturated) << name(c.type) << " " << c.value;
    EXPECT_EQ(encode_float(c.type, c.value, Overflow::special), c.special) << name(c.type) << " " << c.value;
  }
}

// From ml_dtypes: 0.1, 1/3, 1.1, pi and 99.9 as float32.
TEST(float_format, ordinary_values) {
  const float values[] = {0.1f, 1.0f / 3, 1.1f, 3.14159274f, 99.9f};
  const auto expect_codes = [&](DType type, std::vector<uint32_t> codes) {
    for (size_t i = 0; i < codes.size(); ++i)
      EXPECT_EQ(encode_float(type, values[i]), codes[i]) << name(type) << " " << values[i];
  };
  expect_codes(DType::f16, {0x2e66, 0x3555, 0x3c66, 0x4248, 0x563e});
  expect_codes(DType::bf16, {0x3dcd, 0x3eab, 0x3f8d, 0x4049, 0x42c8});
  expect_codes(DType::f8e4m3fn, {0x1d, 0x2b, 0x39, 0x45, 0x6c});
  expect_codes(DType::f8e4m3fnuz, {0x25, 0x33, 0x41, 0x4d, 0x74});
  expect_codes(DType::f8e5m2, {0x2e, 0x35, 0x3c, 0x42, 0x56});
  expect_codes(DType::f8e5m2fnuz, {0x32, 0x39, 0x40, 0x46, 0x5a});
  expect_codes(DType::f4e2m1, {0x0, 0x1, 0x2, 0x5, 0x7});
  expect_codes(DType::f6e2m3, {0x1, 0x3, 0x9, 0x15, 0x1f});
  expect_codes(DType::f6e3m2, {0x2, 0x5, 0xc, 0x12, 0x1f});
  EXPECT_EQ(static_cast<float>(f16(0.1)), 0.0999755859375f);
  EXPECT_EQ(static_cast<float>(bf16(0.1)), 0.10009765625f);
}

TEST(float_format, rounding_looks_at_the_double_itself) {
  // Rounded to float first, this would be the middle between two codes and go down.
  EXPECT_EQ(encode_float(DType::f4e2m1, 0.25 + 0x1p-50), 0x1u);
  EXPECT_EQ(encode_float(DType::f16, 1.0 + 0x1p-11 + 0x1p-40), 0x3C01u);
}

TEST(float_format, e8m0_is_a_power_of_two) {
  for (uint32_t code = 0; code < 255; ++code) {
    const double power = std::ldexp(1.0, static_cast<int>(code) - 127);
    ASSERT_EQ(decode_float(DType::f8e8m0, code), power);
    for (const RoundMode round : {RoundMode::nearest, RoundMode::up, RoundMode::down})
      ASSERT_EQ(encode_float(DType::f8e8m0, power, Overflow::saturate, round), code);
    if (code == 254) break;
    const auto encoded = [&](double value, RoundMode round) {
      return encode_float(DType::f8e8m0, value, Overflow::saturate, round);
    };
    EXPECT_EQ(encoded(power * 1.01, RoundMode::up), code + 1);
    EXPECT_EQ(encoded(power * 1.99, RoundMode::down), code);
    EXPECT_EQ(encoded(power * 1.49, RoundMode::nearest), code);
    EXPECT_EQ(encoded(power * 1.5, RoundMode::nearest), code + 1);
  }
  EXPECT_TRUE(std::isnan(decode_float(DType::f8e8m0, 255)));
}

TEST(float_format, e8m0_special_values_follow_the_table_of_cast) {
  const double beyond = 0x1p128, below = 0x1p-140;
  const double values[] = {0.0, kNaN, kInfinity, beyond, below};
  const uint32_t saturated_up[] = {0x00, 0xFF, 0xFE, 0xFE, 0x00};
  const uint32_t special_nearest[] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(encode_float(DType::f8e8m0, values[i], Overflow::saturate, RoundMode::up), saturated_up[i]) << values[i];
    EXPECT_EQ(encode_float(DType::f8e8m0, values[i], Overflow::special, RoundMode::nearest), special_nearest[i])
        << values[i];
  }
}

}  // namespace
}  // namespace sdx
