#include "base/shape.h"

#include <gtest/gtest.h>

#include <limits>

namespace sdx {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max(), kMin = std::numeric_limits<int64_t>::min();

std::optional<int64_t> count(std::initializer_list<int64_t> dims) { return checked_count(Shape(dims)); }

TEST(shape, arithmetic_is_checked) {
  EXPECT_EQ(checked_add(kMax, -1), kMax - 1);
  EXPECT_FALSE(checked_add(kMax, 1));
  EXPECT_FALSE(checked_add(kMin, -1));
  EXPECT_EQ(checked_mul(int64_t{1} << 31, int64_t{1} << 31), int64_t{1} << 62);
  EXPECT_FALSE(checked_mul(int64_t{1} << 32, int64_t{1} << 31));
  EXPECT_FALSE(checked_mul(kMin, -1));
}

TEST(shape, counts) {
  EXPECT_EQ(count({}), 1);
  EXPECT_EQ(count({2, 3, 4}), 24);
  EXPECT_EQ(count({2, 0, 4}), 0);
  EXPECT_FALSE(count({2, -1}));
  EXPECT_FALSE(count({0, -1}));
  EXPECT_FALSE(count({int64_t{1} << 40, int64_t{1} << 40}));
  // A zero does not hide what would overflow over some of the dimensions.
  EXPECT_FALSE(count({int64_t{1} << 40, int64_t{1} << 40, 0}));
  const Shape dims{2, 3, 4, 5};
  EXPECT_EQ(count_of(dims), 120);
  EXPECT_EQ(count_range(dims, 1, 3), 12);
  EXPECT_EQ(count_range(dims, 2, 2), 1);
}

TEST(shape, strides_are_row_major_and_never_zero) {
  EXPECT_EQ(row_major_strides(Shape{2, 3, 4}), (Shape{12, 4, 1}));
  EXPECT_EQ(row_major_strides(Shape{2, 0, 4}), (Shape{4, 4, 1}));
  EXPECT_TRUE(row_major_strides(Shape{}).empty());
}

TEST(shape, text) {
  EXPECT_EQ(to_text(Shape{2, 3}), "[2,3]");
  EXPECT_EQ(to_text(Shape{}), "[]");
  EXPECT_EQ(to_text(Shape{-1}), "[-1]");
}

TEST(shape, axes) {
  EXPECT_EQ(normalize_axis(-1, 3), 2);
  EXPECT_EQ(normalize_axis(0, 3), 0);
  EXPECT_EQ(normalize_axis(-3, 3), 0);
  EXPECT_FALSE(normalize_axis(3, 3));
  EXPECT_FALSE(normalize_axis(-4, 3));
  EXPECT_FALSE(normalize_axis(0, 0));
  EXPECT_FALSE(normalize_axis(kMin, 3));
}

// Expected shapes are numpy.broadcast_shapes's.
TEST(shape, broadcasting_is_numpys) {
  const auto expect = [](const Shape& a, const Shape& b, const Shape& wanted) {
    for (const auto& out : {broadcast_shapes(a, b), broadcast_shapes(b, a)}) {
      ASSERT_TRUE(out.ok()) << out.status().message();
      EXPECT_EQ(*out, wanted);
    }
  };
  expect({2, 3}, {2, 3}, {2, 3});
  expect({2, 3}, {}, {2, 3});
  expect({2, 3}, {3}, {2, 3});
  expect({2, 1, 4}, {3, 1}, {2, 3, 4});
  expect({1}, {0}, {0});
  expect({5, 1}, {1, 0}, {5, 0});
  const auto bad = broadcast_shapes(Shape{2, 3}, Shape{2});
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.status().message(), "shapes [2,3] and [2] do not broadcast");
  EXPECT_FALSE(broadcast_shapes(Shape{0}, Shape{2}).ok());
}

}  // namespace
}  // namespace sdx
