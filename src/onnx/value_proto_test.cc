#include "onnx/value_proto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/element.h"

namespace sdx::onnx {
namespace {

using testing::HasSubstr;

Value read(const std::string& name, ValueKind kind) {
  const auto file = MappedFile::open("tests/data/onnx/" + name);
  EXPECT_TRUE(file.ok()) << file.status().message();
  auto value = value_from_proto(*file, kind);
  EXPECT_TRUE(value.ok()) << value.status().message();
  return value.ok() ? *value : Value();
}

// Through our writer and back.
Value again(const Value& value) {
  const auto bytes = value_to_proto(value, "n");
  EXPECT_TRUE(bytes.ok()) << bytes.status().message();
  auto copy = value_from_bytes(std::as_bytes(std::span(*bytes)), value.kind());
  EXPECT_TRUE(copy.ok()) << copy.status().message();
  return copy.ok() ? *copy : Value();
}

void expect_sequence(const Value& value) {
  ASSERT_EQ(to_text(value.type()), "seq(tensor(int32))");
  ASSERT_EQ(value.sequence().elements.size(), 2u);
  const Tensor& second = value.sequence().elements[1].tensor();
  EXPECT_EQ(to_text(second.shape()), "[1,3]");
  EXPECT_EQ(load_i64(second, 2), 4);
}

TEST(value_proto, sequence) {
  const Value value = read("sequence.pb", ValueKind::sequence);
  expect_sequence(value);
  expect_sequence(again(value));
}

TEST(value_proto, tensors_from_bytes_are_aligned_and_own_their_memory) {
  Sequence sequence{tensor_type(DType::f32), {}};
  for (int i = 0; i < 9; ++i) {
    Tensor tensor = Tensor::allocate(DType::f32, Shape{i}).value();
    for (int64_t k = 0; k < i; ++k) store_double(tensor, k, i + 0.5);
    sequence.elements.emplace_back(std::move(tensor));
  }
  const Value value(OptionalValue{sequence_type(tensor_type(DType::f32)), Value(sequence)});
  auto bytes = value_to_proto(value, "n");
  ASSERT_TRUE(bytes.ok()) << bytes.status().message();
  const auto copy = value_from_bytes(std::as_bytes(std::span(*bytes)), ValueKind::optional);
  ASSERT_TRUE(copy.ok()) << copy.status().message();
  bytes->assign(bytes->size(), 'x');
  const auto& elements = copy->optional().element.sequence().elements;
  ASSERT_EQ(elements.size(), 9u);
  for (size_t i = 1; i < 9; ++i) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(elements[i].tensor().raw()) % kTensorAlignment, 0u) << i;
    EXPECT_EQ(load_double(elements[i].tensor(), static_cast<int64_t>(i) - 1), static_cast<double>(i) + 0.5);
  }
}

void expect_map(const Value& value) {
  ASSERT_EQ(to_text(value.type()), "map(int64,tensor(float))");
  EXPECT_EQ(load_i64(value.map().keys, 1), -4);
  EXPECT_EQ(load_double(value.map().values.tensor(), 1), 2.5);
}

TEST(value_proto, map_of_scalars_is_one_tensor) {
  const Value value = read("map_i64.pb", ValueKind::map);
  expect_map(value);
  expect_map(again(value));
}

TEST(value_proto, map_of_tensors) {
  for (const Value& value : {read("map_string.pb", ValueKind::map), again(read("map_string.pb", ValueKind::map))}) {
    ASSERT_EQ(to_text(value.type()), "map(string,tensor(int32))");
    EXPECT_EQ(value.map().keys.string_at(1), "two");
    EXPECT_EQ(value.map().values.sequence().elements.size(), 2u);
  }
}

TEST(value_proto, optional) {
  for (const Value& value :
       {read("optional.pb", ValueKind::optional), again(read("optional.pb", ValueKind::optional))}) {
    EXPECT_EQ(to_text(value.type()), "optional(seq(tensor(int32)))");
    EXPECT_EQ(value.optional().element.sequence().elements.size(), 1u);
  }
  for (const Value& value :
       {read("optional_empty.pb", ValueKind::optional), again(read("optional_empty.pb", ValueKind::optional))}) {
    EXPECT_FALSE(value.optional().element.defined());
    EXPECT_EQ(value.optional().element_type.kind, ValueKind::tensor);
  }
}

TEST(value_proto, tensors_of_every_type_return) {
  for (int type = 1; type < kDTypeCount; ++type) {
    const auto dtype = static_cast<DType>(type);
    if (dtype == DType::string) continue;
    const int64_t dims[] = {3, 1};
    auto tensor = Tensor::allocate(dtype, dims);
    ASSERT_TRUE(tensor.ok());
    std::fill_n(tensor->bytes(), tensor->byte_size(), std::byte{1});
    const Value copy = again(Value(*tensor));
    EXPECT_EQ(copy.tensor().dtype(), dtype);
    EXPECT_EQ(to_text(copy.tensor().shape()), "[3,1]");
    EXPECT_EQ(std::memcmp(copy.tensor().raw(), tensor->raw(), tensor->byte_size()), 0);
  }
  StringTensorBuilder builder;
  builder.append("a");
  builder.append("");
  const int64_t two = 2;
  const Value strings = again(Value(*builder.finish({&two, 1})));
  EXPECT_EQ(strings.tensor().string_at(0), "a");
}

TEST(value_proto, sparse_tensor_returns) {
  const int64_t at = 5;
  const float number = 2;
  const int64_t one = 1;
  const Value value(
      SparseTensor{Shape{2, 3}, make_tensor<float>(DType::f32, {&one, 1}, {&number, 1}), vector_i64({&at, 1})});
  const auto dense = make_dense(again(value).sparse());
  ASSERT_TRUE(dense.ok());
  EXPECT_EQ(load_double(*dense, 5), 2);
}

TEST(value_proto, refuses_what_does_not_fit) {
  const auto error = [](std::string_view bytes, ValueKind kind) {
    return value_from_bytes(std::as_bytes(std::span(bytes)), kind).status().message();
  };
  EXPECT_THAT(error("\x10\x07\x18\x01", ValueKind::map), HasSubstr("1 keys but 0 values"));
  EXPECT_THAT(error("\x10\x01", ValueKind::map), HasSubstr("key_type 1 is neither"));
  EXPECT_THAT(error("\x10\x63", ValueKind::sequence), HasSubstr("elem_type 99 is no kind of value"));
  EXPECT_THAT(error("", ValueKind::none), HasSubstr("not given"));
}

}  // namespace
}  // namespace sdx::onnx
