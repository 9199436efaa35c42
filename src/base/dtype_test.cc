#include "base/dtype.h"

#include <gtest/gtest.h>

#include <limits>

namespace sdx {
namespace {

TEST(dtype, every_type_is_found_by_number_and_both_names) {
  for (int i = 1; i < kDTypeCount; ++i) {
    const DType type = dtype_from_onnx(i);
    ASSERT_EQ(static_cast<int>(type), i);
    EXPECT_EQ(dtype_from_name(info(type).name), type);
    EXPECT_EQ(dtype_from_name(info(type).onnx_name), type);
  }
  for (const int64_t none :
       {int64_t{0}, int64_t{-1}, int64_t{29}, int64_t{256 + 1}, std::numeric_limits<int64_t>::max()})
    EXPECT_EQ(dtype_from_onnx(none), DType::undefined);
  EXPECT_FALSE(dtype_from_name("undefined"));
  EXPECT_FALSE(dtype_from_name(""));
  EXPECT_EQ(name(static_cast<DType>(200)), "undefined");
}

TEST(dtype, numbers_are_those_of_tensorproto) {
  EXPECT_EQ(dtype_from_name("float"), static_cast<DType>(1));
  EXPECT_EQ(dtype_from_name("int64"), static_cast<DType>(7));
  EXPECT_EQ(dtype_from_name("string"), static_cast<DType>(8));
  EXPECT_EQ(dtype_from_name("bfloat16"), static_cast<DType>(16));
  EXPECT_EQ(dtype_from_name("float8e5m2fnuz"), static_cast<DType>(20));
  EXPECT_EQ(dtype_from_name("int4"), static_cast<DType>(22));
  EXPECT_EQ(dtype_from_name("float8e8m0"), static_cast<DType>(24));
  EXPECT_EQ(dtype_from_name("int2"), static_cast<DType>(26));
}

TEST(dtype, kinds_and_widths) {
  EXPECT_TRUE(is_floating(DType::f4e2m1) && is_packed(DType::f4e2m1) && bit_width(DType::f4e2m1) == 4);
  EXPECT_TRUE(is_packed(DType::f6e2m3) && bit_width(DType::f6e2m3) == 6);
  EXPECT_TRUE(is_signed_integer(DType::i2) && is_unsigned_integer(DType::u64));
  EXPECT_FALSE(is_integer(DType::boolean) || is_packed(DType::boolean) || is_packed(DType::string));
  EXPECT_TRUE(is_complex(DType::c128) && bit_width(DType::c128) == 128);
}

TEST(dtype, byte_size_rounds_up_and_checks_overflow) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(byte_size(DType::f32, 3), 12u);
  EXPECT_EQ(byte_size(DType::i4, 3), 2u);
  EXPECT_EQ(byte_size(DType::u2, 5), 2u);
  EXPECT_EQ(byte_size(DType::f6e3m2, 3), 3u);  // 18 bits
  EXPECT_EQ(byte_size(DType::f32, 0), 0u);
  EXPECT_EQ(byte_size(DType::string, 9), 0u);
  EXPECT_EQ(byte_size(DType::u8, kMax), static_cast<size_t>(kMax));
  EXPECT_FALSE(byte_size(DType::f32, kMax));
  EXPECT_FALSE(byte_size(DType::f32, -1));
}

TEST(dtype, sets) {
  constexpr DTypeSet set = set_of(DType::f32, DType::i8);
  static_assert(contains(set, DType::i8) && !contains(set, DType::u8));
}

}  // namespace
}  // namespace sdx
