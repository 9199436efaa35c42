// Sparse tensors through the C ABI: three formats, copied and lent, and indices that do not fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sardonyx.h"
#include "sardonyx.hpp"

namespace sdx::test {
namespace {

using sardonyx::check;
using sardonyx::ort_api;
using testing::ElementsAre;
using testing::HasSubstr;
using ValueHandle = sardonyx::detail::Handle<OrtValue, &OrtApi::ReleaseValue>;

std::string failure_of(OrtStatus* status) {
  const std::string message = ort_api().GetErrorMessage(status);
  ort_api().ReleaseStatus(status);
  return message;
}

class sparse_value : public testing::Test {
 protected:
  sparse_value() {
    OrtMemoryInfo* memory = nullptr;
    check(ort_api().CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &memory));
    memory_.reset(memory);
  }
  static ValueHandle empty(std::vector<int64_t> shape) {
    OrtAllocator* allocator = nullptr;
    check(ort_api().GetAllocatorWithDefaultOptions(&allocator));
    OrtValue* value = nullptr;
    check(ort_api().CreateSparseTensorAsOrtValue(allocator, shape.data(), shape.size(),
                                                 ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, &value));
    return ValueHandle(value);
  }
  ValueHandle lent(std::vector<float>& values, std::vector<int64_t> shape, std::vector<int64_t> values_shape) const {
    OrtValue* value = nullptr;
    check(ort_api().CreateSparseTensorWithValuesAsOrtValue(memory_.get(), values.data(), shape.data(), shape.size(),
                                                           values_shape.data(), values_shape.size(),
                                                           ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, &value));
    return ValueHandle(value);
  }
  static OrtSparseFormat format(const ValueHandle& value) {
    OrtSparseFormat made = ORT_SPARSE_UNDEFINED;
    check(ort_api().GetSparseTensorFormat(value.get(), &made));
    return made;
  }
  static std::vector<int64_t> shape_of(OrtTensorTypeAndShapeInfo* info) {
    size_t rank = 0;
    check(ort_api().GetDimensionsCount(info, &rank));
    std::vector<int64_t> dims(rank);
    check(ort_api().GetDimensions(info, dims.data(), rank));
    ort_api().ReleaseTensorTypeAndShapeInfo(info);
    return dims;
  }
  static std::vector<int64_t> indices_shape(const ValueHandle& value, OrtSparseIndicesFormat which) {
    OrtTensorTypeAndShapeInfo* info = nullptr;
    check(ort_api().GetSparseTensorIndicesTypeShape(value.get(), which, &info));
    return shape_of(info);
  }
  template <typename T>
  static std::vector<T> indices(const ValueHandle& value, OrtSparseIndicesFormat which) {
    size_t count = 0;
    const void* data = nullptr;
    check(ort_api().GetSparseTensorIndices(value.get(), which, &count, &data));
    return {static_cast<const T*>(data), static_cast<const T*>(data) + count};
  }
  static const float* values(const ValueHandle& value) {
    const void* data = nullptr;
    check(ort_api().GetSparseTensorValues(value.get(), &data));
    return static_cast<const float*>(data);
  }
  sardonyx::detail::Handle<OrtMemoryInfo, &OrtApi::ReleaseMemoryInfo> memory_;
};

TEST_F(sparse_value, coordinates_are_copied) {
  const ValueHandle value = empty({3, 3});
  EXPECT_EQ(format(value), ORT_SPARSE_UNDEFINED);
  int is_sparse = 0;
  check(ort_api().IsSparseTensor(value.get(), &is_sparse));
  EXPECT_EQ(is_sparse, 1);
  std::vector<float> given{1, 2};
  std::vector<int64_t> places{2, 7};
  const int64_t count = 2;
  check(ort_api().FillSparseTensorCoo(value.get(), memory_.get(), &count, 1, given.data(), places.data(), 2));
  given = {9, 9}, places = {0, 0};
  EXPECT_EQ(format(value), ORT_SPARSE_COO);
  EXPECT_EQ(values(value)[1], 2);
  EXPECT_THAT(indices<int64_t>(value, ORT_SPARSE_COO_INDICES), ElementsAre(2, 7));
  EXPECT_THAT(indices_shape(value, ORT_SPARSE_COO_INDICES), ElementsAre(2));
  OrtTensorTypeAndShapeInfo* info = nullptr;
  check(ort_api().GetSparseTensorValuesTypeAndShape(value.get(), &info));
  EXPECT_THAT(shape_of(info), ElementsAre(2));
  check(ort_api().GetTensorTypeAndShape(value.get(), &info));
  EXPECT_THAT(shape_of(info), ElementsAre(3, 3));
  EXPECT_THAT(failure_of(ort_api().UseCooIndices(value.get(), places.data(), 2)), HasSubstr("once"));
}

TEST_F(sparse_value, rows_and_columns_are_lent) {
  std::vector<float> given{1, 2};
  std::vector<int64_t> places{0, 2, 2, 1};
  const ValueHandle value = lent(given, {3, 3}, {2});
  check(ort_api().UseCooIndices(value.get(), places.data(), 4));
  EXPECT_EQ(values(value), given.data());
  EXPECT_THAT(indices_shape(value, ORT_SPARSE_COO_INDICES), ElementsAre(2, 2));
  const void* data = nullptr;
  size_t count = 0;
  check(ort_api().GetSparseTensorIndices(value.get(), ORT_SPARSE_COO_INDICES, &count, &data));
  EXPECT_EQ(data, places.data());
  EXPECT_EQ(count, 4u);
}

TEST_F(sparse_value, compressed_rows) {
  std::vector<float> given{1, 2, 3};
  std::vector<int64_t> inner{1, 0, 2}, outer{0, 1, 3};
  const int64_t count = 3;
  const ValueHandle value = empty({2, 3});
  check(ort_api().FillSparseTensorCsr(value.get(), memory_.get(), &count, 1, given.data(), inner.data(), 3,
                                      outer.data(), 3));
  EXPECT_EQ(format(value), ORT_SPARSE_CSRC);
  EXPECT_THAT(indices<int64_t>(value, ORT_SPARSE_CSR_INNER_INDICES), ElementsAre(1, 0, 2));
  EXPECT_THAT(indices<int64_t>(value, ORT_SPARSE_CSR_OUTER_INDICES), ElementsAre(0, 1, 3));
  size_t n = 0;
  const void* data = nullptr;
  EXPECT_THAT(failure_of(ort_api().GetSparseTensorIndices(value.get(), ORT_SPARSE_COO_INDICES, &n, &data)),
              HasSubstr("format"));
  const ValueHandle again = lent(given, {2, 3}, {3});
  check(ort_api().UseCsrIndices(again.get(), inner.data(), 3, outer.data(), 3));
  SdxBuffer bytes = {};  // the engine's form, as a message: places in the flattened tensor
  check(SdxGetApi(1)->value_to_proto(again.get(), "s", &bytes));
  OrtValue* back = nullptr;
  check(SdxGetApi(1)->value_from_proto(bytes.data, bytes.size, ONNX_TYPE_SPARSETENSOR, &back));
  SdxGetApi(1)->release_buffer(&bytes);
  EXPECT_THAT(indices<int64_t>(ValueHandle(back), ORT_SPARSE_COO_INDICES), ElementsAre(1, 3, 5));
}

TEST_F(sparse_value, blocks) {
  std::vector<float> given{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<int32_t> places{0, 1, 1, 0};
  const std::vector<int64_t> shape{2, 2, 2}, places_shape{2, 2};
  const ValueHandle value = empty({4, 4});
  check(ort_api().FillSparseTensorBlockSparse(value.get(), memory_.get(), shape.data(), 3, given.data(),
                                              places_shape.data(), 2, places.data()));
  EXPECT_EQ(format(value), ORT_SPARSE_BLOCK_SPARSE);
  EXPECT_THAT(indices<int32_t>(value, ORT_SPARSE_BLOCK_SPARSE_INDICES), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(indices_shape(value, ORT_SPARSE_BLOCK_SPARSE_INDICES), ElementsAre(2, 2));
  const ValueHandle again = lent(given, {4, 4}, shape);
  check(ort_api().UseBlockSparseIndices(again.get(), places_shape.data(), 2, places.data()));
  EXPECT_EQ(values(again)[7], 8);
}

TEST_F(sparse_value, indices_that_do_not_fit_are_refused) {
  std::vector<float> given{1, 2};
  std::vector<int64_t> beyond{0, 9}, falling{0, 2, 1}, inner{0, 1};
  const int64_t count = 2;
  const auto coo = [&](const ValueHandle& value, std::vector<int64_t>& places) {
    return failure_of(ort_api().FillSparseTensorCoo(value.get(), memory_.get(), &count, 1, given.data(), places.data(),
                                                    places.size()));
  };
  EXPECT_THAT(coo(empty({3, 3}), beyond), HasSubstr("9 is outside [0, 9)"));
  EXPECT_THAT(coo(empty({3, 3}), falling), HasSubstr("3 indices are given for 2 values"));
  std::vector<int64_t> pairs{0, 1, 3, 0};
  EXPECT_THAT(coo(empty({3, 3}), pairs), HasSubstr("the row 3"));
  EXPECT_THAT(failure_of(ort_api().FillSparseTensorCsr(empty({2, 2}).get(), memory_.get(), &count, 1, given.data(),
                                                       inner.data(), 2, falling.data(), 3)),
              HasSubstr("outer index 2 is 1"));
  EXPECT_THAT(failure_of(ort_api().UseBlockSparseIndices(empty({2, 2}).get(), &count, 1, nullptr)),
              HasSubstr("[blocks, rows, columns]"));
  std::vector<int64_t> huge{INT64_MAX, 3};
  OrtAllocator* allocator = nullptr;
  check(ort_api().GetAllocatorWithDefaultOptions(&allocator));
  OrtValue* value = nullptr;
  EXPECT_THAT(failure_of(ort_api().CreateSparseTensorAsOrtValue(allocator, huge.data(), 2,
                                                                ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, &value)),
              HasSubstr("too many"));
}

}  // namespace
}  // namespace sdx::test
