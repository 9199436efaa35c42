#include "base/value.h"

#include <gtest/gtest.h>

#include <array>

#include "base/element.h"

namespace sdx {
namespace {

TEST(value, types_are_spelled_as_in_the_standard) {
  EXPECT_EQ(to_text(ValueType{}), "undefined");
  EXPECT_EQ(to_text(tensor_type(DType::f32)), "tensor(float)");
  EXPECT_EQ(to_text(sequence_type(tensor_type(DType::i64))), "seq(tensor(int64))");
  EXPECT_EQ(to_text(optional_type(sequence_type(tensor_type(DType::string)))), "optional(seq(tensor(string)))");
  EXPECT_EQ(to_text(ValueType{ValueKind::map, DType::string, {tensor_type(DType::f64)}}), "map(string,tensor(double))");
  EXPECT_EQ(to_text(ValueType{ValueKind::sparse, DType::bf16, {}}), "sparse_tensor(bfloat16)");
}

TEST(value, knows_its_kind_and_type) {
  EXPECT_FALSE(Value().defined());
  const Value tensor = scalar_f32(1);
  EXPECT_TRUE(tensor.is_tensor());
  EXPECT_EQ(tensor.type(), tensor_type(DType::f32));
  const Value sequence = Sequence{tensor_type(DType::f32), {tensor, tensor}};
  EXPECT_EQ(sequence.type(), sequence_type(tensor_type(DType::f32)));
  EXPECT_EQ(sequence.sequence().elements.size(), 2u);
  const Value optional = OptionalValue{sequence.type(), {}};
  EXPECT_EQ(to_text(optional.type()), "optional(seq(tensor(float)))");
  EXPECT_FALSE(optional.optional().element.defined());
  const Value map = Map{scalar_i64(1), tensor};
  EXPECT_EQ(map.type(), (ValueType{ValueKind::map, DType::i64, {tensor_type(DType::f32)}}));
  EXPECT_THROW((void)tensor.sequence(), InternalError);
  EXPECT_THROW((void)map.tensor(), InternalError);
  EXPECT_THROW((void)Value().map(), InternalError);
}

TEST(value, copies_share) {
  const Value sequence = Sequence{tensor_type(DType::f32), {Value(scalar_f32(1))}};
  const Value copy = sequence;
  EXPECT_EQ(&copy.sequence(), &sequence.sequence());
}

Tensor indices(std::initializer_list<int64_t> values, Shape shape) {
  return tensor_of_i64({values.begin(), values.size()}, shape);
}
Tensor floats(std::initializer_list<float> values) {
  return make_tensor<float>(DType::f32, Shape{static_cast<int64_t>(values.size())}, {values.begin(), values.size()});
}

TEST(value, sparse_becomes_dense_from_either_form_of_indices) {
  for (const Tensor& where : {indices({1, 5}, {2}), indices({0, 1, 1, 2}, {2, 2})}) {
    const auto dense = make_dense({Shape{2, 3}, floats({7, 8}), where});
    ASSERT_TRUE(dense.ok()) << dense.status().message();
    const std::array<float, 6> wanted{0, 7, 0, 0, 0, 8};
    for (size_t i = 0; i < 6; ++i) EXPECT_EQ(dense->values<float>()[i], wanted[i]);
  }
}

TEST(value, sparse_of_packed_and_of_strings) {
  Tensor four = *Tensor::allocate(DType::i4, Shape{2});
  store_i64(four, 0, -3);
  store_i64(four, 1, 5);
  const auto dense = make_dense({Shape{5}, four, indices({4, 1}, {2})});
  ASSERT_TRUE(dense.ok());
  for (int64_t i = 0; i < 5; ++i) EXPECT_EQ(load_i64(*dense, i), i == 4 ? -3 : i == 1 ? 5 : 0);
  StringTensorBuilder builder;
  builder.append("x");
  const auto strings = make_dense({Shape{3}, *builder.finish(Shape{1}), indices({1}, {1})});
  ASSERT_TRUE(strings.ok());
  EXPECT_EQ(strings->string_at(0), "");
  EXPECT_EQ(strings->string_at(1), "x");
}

TEST(value, bad_sparse_tensors_are_errors) {
  EXPECT_EQ(make_dense({Shape{2, 3}, floats({7}), indices({6}, {1})}).status().message(),
            "sparse tensor [2,3]: index 6 of value 0 is outside [0, 6)");
  EXPECT_FALSE(make_dense({Shape{2, 3}, floats({7}), indices({-1}, {1})}).ok());
  EXPECT_FALSE(make_dense({Shape{2, 3}, floats({7}), indices({0, 3}, {1, 2})}).ok());
  EXPECT_FALSE(make_dense({Shape{2, 3}, floats({7, 8}), indices({0}, {1})}).ok());
  EXPECT_FALSE(make_dense({Shape{-2}, floats({7}), indices({0}, {1})}).ok());
}

}  // namespace
}  // namespace sdx
