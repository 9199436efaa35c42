#include "base/element.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace sdx {
namespace {

constexpr int64_t kMin64 = std::numeric_limits<int64_t>::min(), kMax64 = std::numeric_limits<int64_t>::max();

TEST(element, packed_elements_lie_low_bits_first) {
  for (const int bits : {2, 4, 6}) {
    std::vector<uint8_t> bytes(12, 0xFF);
    const int64_t count = 96 / bits;
    for (int64_t i = 0; i < count; ++i) store_packed(bits, bytes.data(), i, static_cast<uint32_t>(i * 7 + 3));
    const uint32_t mask = (1u << bits) - 1;
    for (int64_t i = 0; i < count; ++i)
      ASSERT_EQ(load_packed(bits, bytes.data(), i), static_cast<uint32_t>(i * 7 + 3) & mask);
  }
  // The standard's own layout: the first element is in the low half, 6-bit elements fill three bytes by four.
  uint8_t four[1] = {};
  store_packed(4, four, 0, 0x1);
  store_packed(4, four, 1, 0xE);
  EXPECT_EQ(four[0], 0xE1);
  uint8_t six[3] = {};
  for (int i = 0; i < 4; ++i) store_packed(6, six, i, static_cast<uint32_t>(i + 1));
  EXPECT_EQ(six[0] | six[1] << 8 | six[2] << 16, 1 | 2 << 6 | 3 << 12 | 4 << 18);
}

TEST(element, packed_stores_touch_only_their_own_bytes) {
  uint8_t bytes[3] = {0, 0, 0xA5};
  store_packed(6, bytes, 1, 0x3F);
  EXPECT_EQ(bytes[2], 0xA5);
  store_packed(4, bytes, 3, 0xF);
  EXPECT_EQ(bytes[2], 0xA5);
}

TEST(element, integers_round_trip_and_wrap) {
  struct Case {
    DType type;
    int64_t stored, loaded;
  };
  for (const auto& c : std::initializer_list<Case>{{DType::i8, 200, -56},
                                                   {DType::u8, -1, 255},
                                                   {DType::i16, 40000, 40000 - 65536},
                                                   {DType::u16, -1, 65535},
                                                   {DType::i32, int64_t{1} << 31, -(int64_t{1} << 31)},
                                                   {DType::u32, -1, 0xFFFFFFFF},
                                                   {DType::i64, kMin64, kMin64},
                                                   {DType::u64, -1, -1},
                                                   {DType::i4, 9, -7},
                                                   {DType::u4, 17, 1},
                                                   {DType::i2, 2, -2},
                                                   {DType::u2, 7, 3},
                                                   {DType::boolean, -5, 1}}) {
    alignas(8) std::byte memory[32] = {};
    store_i64(c.type, memory, 1, c.stored);
    EXPECT_EQ(load_i64(c.type, memory, 1), c.loaded) << name(c.type);
    EXPECT_EQ(load_i64(c.type, memory, 0), 0) << name(c.type);
  }
}

TEST(element, any_alignment) {
  std::byte memory[64] = {};
  for (size_t offset = 0; offset < 8; ++offset) {
    store_double(DType::f64, memory + offset, 1, 2.5);
    EXPECT_EQ(load_double(DType::f64, memory + offset, 1), 2.5);
    store_i64(DType::i32, memory + offset, 3, -7);
    EXPECT_EQ(load_i64(DType::i32, memory + offset, 3), -7);
  }
}

TEST(element, doubles_to_integers_are_defined_everywhere) {
  EXPECT_EQ(double_to_i64(std::nan("")), 0);
  EXPECT_EQ(double_to_i64(-2.9), -2);
  EXPECT_EQ(double_to_i64(1e30), kMax64);
  EXPECT_EQ(double_to_i64(-INFINITY), kMin64);
  EXPECT_EQ(double_to_i64(9223372036854775808.0), kMax64);
  EXPECT_EQ(double_to_i64(-9223372036854775808.0), kMin64);
  uint64_t big = 0;
  store_double(DType::u64, &big, 0, 1.5e19);
  EXPECT_EQ(big, 15000000000000000000u);
  EXPECT_EQ(load_double(DType::u64, &big, 0), 1.5e19);
  store_double(DType::u64, &big, 0, 1e30);
  EXPECT_EQ(big, std::numeric_limits<uint64_t>::max());
  store_double(DType::u64, &big, 0, -1.0);
  EXPECT_EQ(big, std::numeric_limits<uint64_t>::max());
  int8_t small = 0;
  store_double(DType::i8, &small, 0, 300.7);
  EXPECT_EQ(small, 44);
  bool flag = true;
  store_double(DType::boolean, &flag, 0, -0.0);
  EXPECT_FALSE(flag);
  store_double(DType::boolean, &flag, 0, std::nan(""));
  EXPECT_TRUE(flag);
}

TEST(element, floats_of_every_width) {
  alignas(8) std::byte memory[64] = {};
  for (int i = 1; i < kDTypeCount; ++i) {
    const DType type = static_cast<DType>(i);
    if (!is_floating(type)) continue;
    for (int64_t at = 0; at < 5; ++at)
      store_double(type, memory, at, at == 0 ? 1.0 : static_cast<double>(1 << (at % 3)));
    for (int64_t at = 0; at < 5; ++at)
      EXPECT_EQ(load_double(type, memory, at), at == 0 ? 1.0 : 1 << (at % 3)) << name(type);
    EXPECT_EQ(load_i64(type, memory, 2), 4) << name(type);
  }
  store_double(DType::f32, memory, 0, 1e300);
  EXPECT_EQ(load_double(DType::f32, memory, 0), INFINITY);
  store_double(DType::f8e4m3fn, memory, 0, 1e300);
  EXPECT_EQ(load_double(DType::f8e4m3fn, memory, 0), 448);
}

TEST(element, complex_numbers) {
  float pair[4] = {};
  store_complex(DType::c64, pair, 1, {1.5, -2.0});
  EXPECT_EQ(load_complex(DType::c64, pair, 1), std::complex<double>(1.5, -2.0));
  EXPECT_EQ(load_double(DType::c64, pair, 1), 1.5);
  const int32_t seven = 7;
  EXPECT_EQ(load_complex(DType::i32, &seven, 0), std::complex<double>(7, 0));
}

TEST(element, visit_native_names_the_type_of_the_memory) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const DType type = static_cast<DType>(i);
    size_t size = 0;
    const bool visited = visit_native(type, [&](auto zero) { size = sizeof(zero); });
    EXPECT_EQ(visited, size != 0);
    if (visited) {
      EXPECT_EQ(size * 8, static_cast<size_t>(bit_width(type))) << name(type);
    }
  }
  EXPECT_FALSE(visit_native(DType::string, [](auto) {}));
}

}  // namespace
}  // namespace sdx
