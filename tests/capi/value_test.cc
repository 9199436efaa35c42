// Values through the C ABI: memory, types, strings, sequences, maps, messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "model_bytes.h"
#include "sardonyx.hpp"

namespace sdx::test {
namespace {

using sardonyx::check;
using sardonyx::Kind;
using sardonyx::ort_api;
using testing::ElementsAre;
using testing::HasSubstr;
using XValue = sardonyx::Value;

// The text of a status; frees it.
std::string text_of(OrtStatus* status) {
  const std::string text = status == nullptr ? "OK" : ort_api().GetErrorMessage(status);
  ort_api().ReleaseStatus(status);
  return text;
}

OrtMemoryInfo* cpu_info() {
  OrtMemoryInfo* info = nullptr;
  check(ort_api().CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &info));
  return info;
}

TEST(value, copies_or_borrows) {
  std::vector<float> elements{1, 2, 3, 4};
  const XValue copy = XValue::tensor<float>(elements, {2, 2});
  const XValue borrowed = XValue::borrow(std::span(elements), {4});
  elements[0] = 9;
  EXPECT_THAT(copy.values<float>(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(borrowed.values<float>(), ElementsAre(9, 2, 3, 4));
  EXPECT_EQ(borrowed.bytes().data(), reinterpret_cast<const std::byte*>(elements.data()));
  EXPECT_THROW(copy.values<double>(), sardonyx::Error);
}

TEST(value, refuses_memory_that_is_too_small_or_a_wrong_shape) {
  OrtMemoryInfo* info = cpu_info();
  float elements[3] = {};
  const auto make = [&](std::vector<int64_t> shape, ONNXTensorElementDataType type, size_t bytes = sizeof elements) {
    OrtValue* value = nullptr;
    const std::string text = text_of(
        ort_api().CreateTensorWithDataAsOrtValue(info, elements, bytes, shape.data(), shape.size(), type, &value));
    EXPECT_EQ(value == nullptr, text != "OK");
    ort_api().ReleaseValue(value);
    return text;
  };
  EXPECT_EQ(make({3}, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT), "OK");
  EXPECT_EQ(make({3}, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4, 2), "OK");
  EXPECT_THAT(make({4}, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT), HasSubstr("takes 16 bytes, the memory given has 12"));
  EXPECT_THAT(make({-1}, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT), HasSubstr("negative dimension"));
  EXPECT_THAT(make({INT64_MAX, 4}, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT), HasSubstr("too many elements"));
  EXPECT_THAT(make({INT64_MAX}, ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE), HasSubstr("more bytes than can be addressed"));
  EXPECT_THAT(make({3}, ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING), HasSubstr("string tensor"));
  EXPECT_THAT(make({3}, static_cast<ONNXTensorElementDataType>(99)), HasSubstr("element type 99"));
  ort_api().ReleaseMemoryInfo(info);
}

TEST(value, numbers_of_the_newest_types_are_the_abis) {
  const XValue value = XValue::allocate(sardonyx::DataType::u2, {5});
  EXPECT_EQ(value.bytes().size(), 2u);
  EXPECT_EQ(value.data_type(), sardonyx::DataType::u2);
  const XValue scale = XValue::allocate(sardonyx::DataType::f8e8m0, {5});
  EXPECT_EQ(scale.bytes().size(), 5u);
  EXPECT_EQ(to_text(scale.type()), "tensor(float8e8m0)[5]");
}

TEST(value, says_where_its_memory_is) {
  OrtMemoryInfo* info = cpu_info();
  float element = 0;
  OrtValue* value = nullptr;
  check(ort_api().CreateTensorWithDataAsOrtValue(info, &element, 4, nullptr, 0, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT,
                                                 &value));
  const OrtMemoryInfo* found = nullptr;
  check(ort_api().GetTensorMemoryInfo(value, &found));
  int differs = 1;
  check(ort_api().CompareMemoryInfo(info, found, &differs));
  EXPECT_EQ(differs, 0);
  const char* name = nullptr;
  check(ort_api().MemoryInfoGetName(found, &name));
  EXPECT_STREQ(name, "Cpu");
  ort_api().ReleaseValue(value);
  ort_api().ReleaseMemoryInfo(info);
}

// An allocator of the caller's, as old programs fill it: of version 1.
struct CountingAllocator : OrtAllocator {
  CountingAllocator() : OrtAllocator{} {
    version = 1;
    Alloc = [](OrtAllocator* self, size_t size) {
      ++static_cast<CountingAllocator*>(self)->live;
      return std::malloc(size);
    };
    Free = [](OrtAllocator* self, void* data) {
      --static_cast<CountingAllocator*>(self)->live;
      std::free(data);
    };
    Info = [](const OrtAllocator* self) -> const OrtMemoryInfo* {
      return static_cast<const CountingAllocator*>(self)->info;
    };
  }
  ~CountingAllocator() { ort_api().ReleaseMemoryInfo(info); }
  int live = 0;
  OrtMemoryInfo* info = cpu_info();
};

TEST(value, uses_the_callers_allocator) {
  CountingAllocator allocator;
  const int64_t shape[] = {2, 3};
  OrtValue* value = nullptr;
  check(ort_api().CreateTensorAsOrtValue(&allocator, shape, 2, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, &value));
  EXPECT_EQ(allocator.live, 1);
  ort_api().ReleaseValue(value);
  EXPECT_EQ(allocator.live, 0);

  void* data = allocator.Alloc(&allocator, 8);
  check(ort_api().CreateTensorWithDataAndDeleterAsOrtValue(&allocator, data, 8, nullptr, 0,
                                                           ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, &value));
  ort_api().ReleaseValue(value);
  EXPECT_EQ(allocator.live, 0);

  OrtKeyValuePairs* stats = nullptr;
  check(ort_api().AllocatorGetStats(&allocator, &stats));
  ort_api().ReleaseKeyValuePairs(stats);
}

TEST(value, finds_elements_by_index) {
  const XValue value = XValue::tensor<int32_t>(std::vector<int32_t>{1, 2, 3, 4, 5, 6}, {2, 3});
  const int64_t location[] = {1, 2}, outside[] = {2, 0};
  void* element = nullptr;
  check(ort_api().TensorAt(value.handle(), location, 2, &element));
  EXPECT_EQ(*static_cast<int32_t*>(element), 6);
  EXPECT_EQ(text_of(ort_api().TensorAt(value.handle(), outside, 2, &element)), "index 0 is 2, dimension 0 is 2");
  EXPECT_NE(text_of(ort_api().TensorAt(value.handle(), location, 1, &element)), "OK");
}

TEST(value, strings_are_filled_in_every_way) {
  XValue value = XValue::allocate(sardonyx::DataType::string, {3});
  EXPECT_THAT(value.strings(), ElementsAre("", "", ""));
  const char* const texts[] = {"a", "bc", ""};
  check(ort_api().FillStringTensor(value.handle(), texts, 3));
  EXPECT_THAT(value.strings(), ElementsAre("a", "bc", ""));
  check(ort_api().FillStringTensorElement(value.handle(), "long text", 2));
  char* buffer = nullptr;
  check(ort_api().GetResizedStringTensorElementBuffer(value.handle(), 0, 2, &buffer));
  buffer[0] = '\0';
  buffer[1] = 'x';
  EXPECT_THAT(value.strings(), ElementsAre(std::string("\0x", 2), "bc", "long text"));
  size_t length = 0;
  check(ort_api().GetStringTensorElementLength(value.handle(), 1, &length));
  EXPECT_EQ(length, 2u);
  EXPECT_EQ(text_of(ort_api().FillStringTensor(value.handle(), texts, 2)),
            "2 strings are given, the tensor has 3 elements");
  EXPECT_EQ(text_of(ort_api().GetStringTensorElementLength(value.handle(), 3, &length)),
            "the index is 3, the tensor has 3 elements");
  void* data = nullptr;
  EXPECT_NE(text_of(ort_api().GetTensorMutableData(value.handle(), &data)), "OK");
}

TEST(value, sequences_hold_their_elements) {
  std::vector<XValue> elements;
  elements.push_back(XValue::scalar<int64_t>(1));
  elements.push_back(XValue::tensor<int64_t>(std::vector<int64_t>{2, 3}, {2}));
  XValue sequence = XValue::sequence(elements);
  elements.clear();
  EXPECT_EQ(to_text(sequence.type()), "seq(tensor(int64))");
  ASSERT_EQ(sequence.size(), 2u);
  EXPECT_THAT(sequence.at(1).values<int64_t>(), ElementsAre(2, 3));
  EXPECT_THROW(sequence.at(2), sardonyx::Error);
  elements.push_back(XValue::scalar<int64_t>(1));
  elements.push_back(XValue::scalar<float>(1));
  EXPECT_THROW(XValue::sequence(elements), sardonyx::Error);
}

TEST(value, maps_hold_keys_and_values) {
  const XValue keys = XValue::strings(std::vector<std::string>{"a", "b"}, {2});
  const XValue values = XValue::tensor<float>(std::vector<float>{1, 2}, {2});
  const XValue map = XValue::map(keys, values);
  EXPECT_EQ(to_text(map.type()), "map(string,tensor(float))");
  EXPECT_THAT(map.keys().strings(), ElementsAre("a", "b"));
  EXPECT_THAT(map.map_values().values<float>(), ElementsAre(1, 2));
  EXPECT_THROW(XValue::map(values, keys), sardonyx::Error);
}

TEST(value, goes_through_messages) {
  const XValue tensor = XValue::tensor<int16_t>(std::vector<int16_t>{-1, 2}, {2, 1});
  const XValue back = XValue::from_proto(tensor.to_proto("t"));
  EXPECT_THAT(back.values<int16_t>(), ElementsAre(-1, 2));
  EXPECT_THAT(back.shape(), ElementsAre(2, 1));
  std::vector<XValue> elements;
  elements.push_back(XValue::strings(std::vector<std::string>{"x"}, {1}));
  const XValue sequence = XValue::from_proto(XValue::sequence(elements).to_proto(), Kind::sequence);
  EXPECT_THAT(sequence.at(0).strings(), ElementsAre("x"));
  EXPECT_THROW(XValue::from_proto("\xff\xff"), sardonyx::Error);
}

TEST(value, becomes_doubles) {
  EXPECT_THAT(XValue::tensor<bool>(std::array{true, false}, {2}).to_doubles(), ElementsAre(1, 0));
  XValue packed = XValue::allocate(sardonyx::DataType::i4, {3});
  packed.mutable_bytes()[0] = std::byte{0x2F};
  packed.mutable_bytes()[1] = std::byte{0x07};
  EXPECT_THAT(packed.to_doubles(), ElementsAre(-1, 2, 7));
}

TEST(type_info, is_made_and_read_by_callers) {
  OrtTensorTypeAndShapeInfo* info = nullptr;
  check(ort_api().CreateTensorTypeAndShapeInfo(&info));
  const int64_t dims[] = {-1, 3};
  const char* names[] = {"batch", ""};
  check(ort_api().SetTensorElementType(info, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8));
  check(ort_api().SetDimensions(info, dims, 2));
  check(ort_api().SetSymbolicDimensions(info, names, 2));
  size_t count = 0;
  check(ort_api().GetTensorShapeElementCount(info, &count));
  EXPECT_EQ(count, SIZE_MAX);
  OrtTypeInfo* type = nullptr;
  check(ort_api().GetModelEditorApi()->CreateTensorTypeInfo(info, &type));
  OrtValueInfo* value_info = nullptr;
  check(ort_api().GetModelEditorApi()->CreateValueInfo("x", type, &value_info));
  const OrtTypeInfo* found = nullptr;
  check(ort_api().GetValueInfoTypeInfo(value_info, &found));
  EXPECT_EQ(to_text(sardonyx::detail::read_type(found)), "tensor(int8)[batch,3]");
  ort_api().ReleaseValueInfo(value_info);
  ort_api().ReleaseTypeInfo(type);
  ort_api().ReleaseTensorTypeAndShapeInfo(info);
}

}  // namespace
}  // namespace sdx::test
