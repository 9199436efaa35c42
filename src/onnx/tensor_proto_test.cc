#include "onnx/tensor_proto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/element.h"
#include "onnx/model_file.h"

namespace sdx::onnx {
namespace {

using testing::HasSubstr;

TensorProto message(DType type, std::vector<int64_t> dims) {
  TensorProto proto;
  proto.name = "w";
  proto.data_type = static_cast<int32_t>(type);
  proto.dims = Numbers<int64_t>(std::move(dims));
  return proto;
}

Bytes as_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string error_of(const TensorProto& proto) {
  const auto tensor = tensor_from_proto(proto, {}, "initializer");
  EXPECT_FALSE(tensor.ok());
  return tensor.status().message();
}

TEST(tensor_proto, typed_fields_and_raw_data_of_the_onnx_package_agree) {
  const auto model = open_model("tests/data/onnx/encodings.onnx");
  ASSERT_TRUE(model.ok()) << model.status().message();
  std::map<std::string, Tensor> tensors;
  for (const auto& proto : (*model)->proto.graph->initializer) {
    auto tensor = (*model)->tensor(proto);
    ASSERT_TRUE(tensor.ok()) << tensor.status().message();
    tensors.emplace(proto.name, *tensor);
  }
  int pairs = 0;
  for (const auto& [name, typed] : tensors) {
    if (!name.ends_with("_typed")) continue;
    const Tensor& raw = tensors.at(name.substr(0, name.size() - 6) + "_raw");
    EXPECT_EQ(typed.dtype(), raw.dtype()) << name;
    ASSERT_EQ(typed.byte_size(), raw.byte_size()) << name;
    EXPECT_EQ(std::memcmp(typed.raw(), raw.raw(), raw.byte_size()), 0) << name;
    ++pairs;
  }
  EXPECT_EQ(pairs, 25);

  // The values that make.py wrote.
  const auto first_two = [&](const char* name) {
    const Tensor& tensor = tensors.at(name);
    return std::pair(load_double(tensor, 0), load_double(tensor, 1));
  };
  for (const char* name : {"float16_typed", "bfloat16_typed", "float8e4m3fn_typed", "float8e4m3fnuz_typed",
                           "float8e5m2_typed", "float8e5m2fnuz_typed", "float4e2m1_typed"})
    EXPECT_EQ(first_two(name), std::pair(0.5, -2.0)) << name;
  EXPECT_EQ(first_two("float8e8m0_typed"), std::pair(0.5, 2.0));
  EXPECT_EQ(load_i64(tensors.at("int4_typed"), 0), -8);
  EXPECT_EQ(load_i64(tensors.at("int4_typed"), 2), 7);
  EXPECT_EQ(load_i64(tensors.at("uint2_typed"), 1), 3);
  EXPECT_EQ(load_complex(DType::c64, tensors.at("complex64_typed").raw(), 1), std::complex<double>(0, -3.5));
  EXPECT_EQ(tensors.at("string").string_at(0), "");
  EXPECT_EQ(tensors.at("string").string_at(1), "gr\u00f6\u00dfe");
}

TEST(tensor_proto, raw_data_and_packed_floats_are_not_copied) {
  const auto model = open_model("tests/data/onnx/encodings.onnx");
  ASSERT_TRUE(model.ok());
  std::weak_ptr<MappedFile> file = (*model)->file;
  std::vector<Tensor> kept;
  for (const auto& proto : (*model)->proto.graph->initializer) {
    auto tensor = (*model)->tensor(proto);
    ASSERT_TRUE(tensor.ok());
    const bool wide = tensor->dtype() == DType::f32 || tensor->dtype() == DType::f64 || is_complex(tensor->dtype());
    const bool mapped = proto.name.ends_with("_raw") || wide;
    EXPECT_EQ((*model)->place_of(tensor->raw()).has_value(), mapped) << proto.name;
    if (proto.name == "float_raw") kept.push_back(*tensor);
  }
  const_cast<std::shared_ptr<Model>&>(*model).reset();
  EXPECT_FALSE(file.expired()) << "a tensor keeps the mapping";
  EXPECT_EQ(load_double(kept.at(0), 1), -1.5);
  kept.clear();
  EXPECT_TRUE(file.expired());
}

TEST(tensor_proto, six_bit_floats) {
  auto raw = message(DType::f6e2m3, {4});
  const std::string packed = "\x81\x30\x10";
  raw.raw_data = as_bytes(packed);
  auto typed = message(DType::f6e2m3, {4});
  typed.int32_data = Numbers<int32_t>({1, 2, 3, 4});
  const auto a = tensor_from_proto(raw, {});
  const auto b = tensor_from_proto(typed, {});
  ASSERT_TRUE(a.ok() && b.ok());
  for (int64_t i = 0; i < 4; ++i) EXPECT_EQ(load_packed(6, a->raw(), i), static_cast<uint32_t>(i + 1));
  EXPECT_EQ(std::memcmp(a->raw(), b->raw(), 3), 0);
}

TEST(tensor_proto, booleans_become_zero_or_one) {
  auto proto = message(DType::boolean, {3});
  const std::string bytes("\0\2\xff", 3);
  proto.raw_data = as_bytes(bytes);
  const auto tensor = tensor_from_proto(proto, {});
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(std::memcmp(tensor->raw(), "\0\1\1", 3), 0);
}

TEST(tensor_proto, empty_tensors_need_no_data) {
  for (const DType type : {DType::f32, DType::u4, DType::string, DType::i64}) {
    const auto tensor = tensor_from_proto(message(type, {0, 3}), {});
    ASSERT_TRUE(tensor.ok()) << tensor.status().message();
    EXPECT_EQ(tensor->count(), 0);
  }
}

TEST(tensor_proto, errors_say_what_is_needed_and_what_is_there) {
  auto short_data = message(DType::f32, {2, 3});
  const std::string twenty(20, 'x');
  short_data.raw_data = as_bytes(twenty);
  EXPECT_EQ(error_of(short_data), "initializer \"w\": shape [2,3] of f32 needs 24 bytes, raw_data has 20");
  EXPECT_THAT(error_of(message(DType::f32, {2})), HasSubstr("needs 2 elements, float_data has 0"));
  EXPECT_THAT(error_of(message(DType::c64, {2})), HasSubstr("needs 4 elements, float_data has 0"));
  EXPECT_THAT(error_of(message(DType::i4, {3})), HasSubstr("needs 2 packed bytes, int32_data has 0"));
  EXPECT_THAT(error_of(message(DType::string, {2})), HasSubstr("needs 2 elements, string_data has 0"));
  EXPECT_THAT(error_of(message(DType::f32, {2, -1})), HasSubstr("shape [2,-1] has a negative dimension"));
  EXPECT_THAT(error_of(message(DType::f32, {INT64_MAX, 2})), HasSubstr("too many elements"));
  EXPECT_THAT(error_of(message(DType::f64, {INT64_MAX / 2})), HasSubstr("more bytes than can be addressed"));
  EXPECT_THAT(error_of(message(static_cast<DType>(99), {1})), HasSubstr("data_type 99 is none"));

  auto strings = message(DType::string, {1});
  strings.raw_data = as_bytes(twenty);
  EXPECT_THAT(error_of(strings), HasSubstr("strings cannot be raw_data"));
  auto wide = message(DType::u8, {1});
  wide.int32_data = Numbers<int32_t>({256});
  EXPECT_THAT(error_of(wide), HasSubstr("int32_data[0] is 256, which does not fit in the 8 bits of u8"));
  auto huge = message(DType::u32, {1});
  huge.uint64_data = Numbers<uint64_t>({uint64_t{1} << 32});
  EXPECT_THAT(error_of(huge), HasSubstr("does not fit in the 32 bits"));
  auto external = message(DType::f32, {1});
  external.data_location = 1;
  EXPECT_THAT(error_of(external), HasSubstr("external data are not allowed here"));
}

SparseTensorProto sparse_message(std::vector<int64_t> indices, std::vector<int64_t> index_dims) {
  SparseTensorProto proto;
  proto.dims = Numbers<int64_t>({3, 4});
  proto.values.make() = message(DType::f32, {2});
  proto.values->float_data = Numbers<float>({1, 2});
  proto.indices.make() = message(DType::i64, std::move(index_dims));
  proto.indices->int64_data = Numbers<int64_t>(std::move(indices));
  return proto;
}

TEST(tensor_proto, sparse_tensors_take_both_forms_of_indices) {
  for (const auto& proto : {sparse_message({1, 8}, {2}), sparse_message({0, 1, 2, 0}, {2, 2})}) {
    const auto sparse = sparse_from_proto(proto, {});
    ASSERT_TRUE(sparse.ok()) << sparse.status().message();
    const auto dense = make_dense(*sparse);
    ASSERT_TRUE(dense.ok());
    EXPECT_EQ(load_double(*dense, 1), 1);
    EXPECT_EQ(load_double(*dense, 8), 2);
  }
  EXPECT_THAT(sparse_from_proto(sparse_message({1, 12}, {2}), {}).status().message(),
              HasSubstr("index 12 of value 1 is outside [0, 12) of shape [3,4]"));
  EXPECT_THAT(sparse_from_proto(sparse_message({0, 1, 2, 4}, {2, 2}), {}).status().message(),
              HasSubstr("outside [0, 4)"));
  EXPECT_THAT(sparse_from_proto(sparse_message({0, 1, 2}, {3}), {}).status().message(),
              HasSubstr("[2] or [2,2] is wanted"));
}

}  // namespace
}  // namespace sdx::onnx
