#include "kernel/weight_parts.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

namespace sdx {
namespace {

TEST(weight_parts, what_is_no_weight_of_the_scope_is_read_where_it_is) {
  const std::vector<float> numbers(8, 1.0f);
  WeightParts parts;
  EXPECT_EQ(parts.floats(numbers.data() + 2, 4), numbers.data() + 2);
  EXPECT_FALSE(WeightParts::has(numbers.data()));
}

TEST(weight_parts, a_part_of_a_weight_is_read_once_and_aligned) {
  std::vector<float> numbers(100);
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  std::vector<std::byte> file(numbers.size() * sizeof(float) + 1);
  std::memcpy(file.data() + 1, numbers.data(), file.size() - 1);
  const std::vector<Tensor> weights = {Tensor::wrap(DType::f32, Shape{10, 10}, file.data() + 1, nullptr)};
  int reads = 0;
  const auto read = [&](const Tensor& weight, int64_t first, int64_t count, std::byte* to) {
    ++reads;
    std::memcpy(to, weight.bytes() + first * 4, static_cast<size_t>(count) * 4);
  };
  {
    const WeightParts::Scope scope(weights, read);
    WeightParts parts;
    for (int twice = 0; twice < 2; ++twice) {
      const float* part = parts.floats(weights[0].data<float>() + 20, 30);
      ASSERT_EQ(reinterpret_cast<uintptr_t>(part) % alignof(float), 0u);
      for (int i = 0; i < 30; ++i) ASSERT_EQ(part[i], 20.0f + static_cast<float>(i));
    }
    EXPECT_EQ(reads, 1);
    EXPECT_EQ(parts.floats(weights[0].data<float>() + 50, 50)[49], 99.0f);
    const auto whole = WeightParts::copy(weights[0]);
    ASSERT_TRUE(whole.ok());
    EXPECT_EQ(whole->data<float>()[99], 99.0f);
    EXPECT_EQ(reads, 3);
  }
  EXPECT_FALSE(WeightParts::has(weights[0].raw()));
}

TEST(weight_parts, halves_are_read_as_they_are) {
  const std::vector<uint16_t> codes = {1, 2, 3, 4, 5, 6};
  const std::vector<Tensor> weights = {
      Tensor::wrap(DType::f16, Shape{6}, const_cast<uint16_t*>(codes.data()), nullptr)};
  const auto read = [&](const Tensor& weight, int64_t first, int64_t count, std::byte* to) {
    std::memcpy(to, weight.bytes() + first * 2, static_cast<size_t>(count) * 2);
  };
  const WeightParts::Scope scope(weights, read);
  WeightParts parts;
  const uint16_t* part = parts.halves(codes.data() + 2, 3);
  EXPECT_NE(part, codes.data() + 2);
  EXPECT_EQ(std::vector<uint16_t>(part, part + 3), (std::vector<uint16_t>{3, 4, 5}));
}

}  // namespace
}  // namespace sdx
