#include "base/tensor.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>

#include "base/sanitizer.h"

namespace sdx {
namespace {

TEST(tensor, allocates_aligned_memory_of_its_size) {
  for (int i = 1; i < kDTypeCount; ++i) {
    const DType type = static_cast<DType>(i);
    if (type == DType::string) continue;
    const auto tensor = Tensor::allocate(type, Shape{3, 5});
    ASSERT_TRUE(tensor.ok()) << tensor.status().message();
    EXPECT_EQ(tensor->byte_size(), *byte_size(type, 15));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor->raw()) % kTensorAlignment, 0u);
    EXPECT_EQ(tensor->count(), 15);
    EXPECT_EQ(tensor->rank(), 2);
    EXPECT_EQ(tensor->dim(1), 5);
  }
  const auto empty = Tensor::allocate(DType::f32, Shape{3, 0});
  ASSERT_TRUE(empty.ok());
  EXPECT_EQ(empty->byte_size(), 0u);
  EXPECT_NE(empty->raw(), nullptr);
}

TEST(tensor, impossible_sizes_are_errors) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(Tensor::allocate(DType::f32, Shape{-1}).status().code(), Code::invalid_argument);
  EXPECT_EQ(Tensor::allocate(DType::f32, Shape{kMax, kMax}).status().code(), Code::invalid_argument);
  EXPECT_EQ(Tensor::allocate(DType::c128, Shape{kMax}).status().code(), Code::invalid_argument);
  EXPECT_EQ(Tensor::allocate(DType::string, Shape{2}).status().code(), Code::invalid_argument);
  EXPECT_EQ(Tensor::allocate(DType::undefined, Shape{2}).status().code(), Code::invalid_argument);
  if (kUnderSanitizer) return;  // its allocator ends the process where malloc returns null
  const auto huge = Tensor::allocate(DType::u8, Shape{int64_t{1} << 60});
  ASSERT_FALSE(huge.ok());
  EXPECT_EQ(huge.status().message(), "out of memory: 1152921504606846976 bytes were asked for");
}

TEST(tensor, copies_share_memory_and_keep_it_alive) {
  Tensor copy;
  {
    Tensor tensor = *Tensor::allocate(DType::i32, Shape{2});
    tensor.data<int32_t>()[1] = 42;
    copy = tensor;
  }
  EXPECT_EQ(copy.values<int32_t>()[1], 42);
  EXPECT_FALSE(Tensor().defined());
}

TEST(tensor, wraps_foreign_memory_and_releases_its_owner) {
  std::array<float, 6> memory{1, 2, 3, 4, 5, 6};
  auto owner = std::make_shared<int>(0);
  const std::weak_ptr<int> watched = owner;
  {
    const Tensor tensor =
        Tensor::wrap(DType::f32, Shape{2, 3}, memory.data(), std::move(owner), {Device::gpu, 1, 0x10de});
    EXPECT_EQ(tensor.data<float>(), memory.data());
    EXPECT_EQ(tensor.memory().device_id, 1);
    const Tensor view = tensor.reshaped(Shape{6});
    EXPECT_EQ(view.raw(), tensor.raw());
    EXPECT_EQ(view.memory(), tensor.memory());
    EXPECT_THROW((void)tensor.reshaped(Shape{5}), InternalError);
  }
  EXPECT_TRUE(watched.expired());
  EXPECT_THROW((void)Tensor::wrap(DType::f32, Shape{-2}, memory.data(), nullptr), InternalError);
}

TEST(tensor, strings_may_be_empty_and_hold_zeros) {
  StringTensorBuilder builder;
  for (const std::string_view text :
       {std::string_view("one"), std::string_view(), std::string_view("a\0b", 3), std::string_view("é")})
    builder.append(text);
  EXPECT_EQ(builder.count(), 4);
  const auto tensor = builder.finish(Shape{2, 2});
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor->string_at(0), "one");
  EXPECT_EQ(tensor->string_at(1), "");
  EXPECT_EQ(tensor->string_at(2), std::string_view("a\0b", 3));
  EXPECT_EQ(tensor->string_at(3), "é");
  EXPECT_EQ(tensor->byte_size(), 5 * 8 + 3 + 3 + 2u);
  const auto copy = clone(*tensor);
  ASSERT_TRUE(copy.ok());
  EXPECT_NE(copy->raw(), tensor->raw());
  EXPECT_EQ(copy->string_at(3), "é");
  EXPECT_EQ(copy->byte_size(), tensor->byte_size());
  const auto empty = StringTensorBuilder().finish(Shape{0});
  ASSERT_TRUE(empty.ok());
  EXPECT_EQ(empty->count(), 0);
}

TEST(tensor, helpers_and_clone) {
  EXPECT_EQ(scalar_i64(7).values<int64_t>()[0], 7);
  EXPECT_EQ(scalar_f32(0.5f).rank(), 0);
  const std::array<int64_t, 3> values{3, 1, 2};
  const Tensor vector = vector_i64(values);
  EXPECT_EQ(vector.shape(), (Shape{3}));
  const auto copy = clone(vector);
  ASSERT_TRUE(copy.ok());
  EXPECT_NE(copy->raw(), vector.raw());
  EXPECT_EQ(std::memcmp(copy->raw(), values.data(), 24), 0);
  EXPECT_EQ(vector_i64({}).count(), 0);
  EXPECT_THROW(make_tensor<float>(DType::f64, Shape{1}, std::array<float, 1>{}), InternalError);
  EXPECT_THROW(make_tensor<float>(DType::f32, Shape{2}, std::array<float, 1>{}), InternalError);
}

}  // namespace
}  // namespace sdx
