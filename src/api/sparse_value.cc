// Sparse tensors: made empty, filled once in one of three formats, with copies (Fill...) or with memory of the caller's
// (CreateSparseTensorWithValuesAsOrtValue, Use...). Indices are checked when they are given.
#include <cstring>

#include "abi/element_type.h"
#include "abi/type_info.h"
#include "abi/value.h"
#include "answer.h"
#include "tables.h"

namespace sdx::api {
namespace {

Result<Shape> shape_of(const int64_t* dims, size_t count, const char* what) {
  if (count > 0) SDX_NEED(dims);
  const Shape shape(std::span(dims, count));
  for (const int64_t dim : shape)
    if (dim < 0) return invalid_argument("the {} is {}; dimensions of 0 or more are wanted", what, to_text(shape));
  if (!checked_count(shape)) return invalid_argument("the {} {} has too many elements", what, to_text(shape));
  return shape;
}

Result<DType> numbers_or_strings(ONNXTensorElementDataType type) {
  const DType made = abi::dtype_of(type);
  if (made == DType::undefined)
    return invalid_argument("the element type is {}, which is none", static_cast<int>(type));
  return made;
}

Result<Tensor> copy_values(DType type, const Shape& shape, const void* values) {
  if (count_of(shape) > 0) SDX_NEED(values);
  if (type == DType::string) {
    StringTensorBuilder builder;
    for (int64_t i = 0; i < count_of(shape); ++i) {
      const char* const text = static_cast<const char* const*>(values)[i];
      SDX_NEED(text);
      builder.append(text);
    }
    return builder.finish(shape);
  }
  SDX_ASSIGN(Tensor tensor, Tensor::allocate(type, shape));
  if (tensor.byte_size() > 0) std::memcpy(tensor.raw(), values, tensor.byte_size());
  return tensor;
}

// The caller's memory; a copy where `copies`.
Result<Tensor> indices_of(DType type, const Shape& shape, const void* data, bool copies) {
  if (count_of(shape) > 0) SDX_NEED(data);
  if (copies) return copy_values(type, shape, data);
  return Tensor::wrap(type, shape, const_cast<void*>(data), nullptr);
}

Result<abi::SparseForm> unfilled(const OrtValue* value) {
  SDX_NEED(value);
  SDX_ASSIGN(const auto form, value->sparse());
  if (form->format != ORT_SPARSE_UNDEFINED)
    return invalid_argument("the sparse tensor has its indices already; they are set once");
  return *form;
}

Status check_cpu(const OrtMemoryInfo* info) {
  SDX_NEED(info);
  if (abi::is_cpu(*info)) return {};
  return not_implemented("the values are in memory of {}; only the CPU's is supported", info->name);
}

Status check_range(std::span<const int64_t> indices, int64_t limit, const char* what) {
  for (const int64_t index : indices)
    if (index < 0 || index >= limit) return invalid_argument("{} {} is outside [0, {})", what, index, limit);
  return {};
}

Status fill_coo(OrtValue& value, abi::SparseForm form, const int64_t* data, size_t count, bool copies) {
  const auto values = static_cast<size_t>(form.values.count());
  if (count != values && count != 2 * values)
    return invalid_argument("{} indices are given for {} values; as many or twice as many are wanted", count, values);
  const bool linear = count == values;
  if (!linear && form.dense_shape.size() != 2)
    return invalid_argument("indices of rows and columns are given for the dense shape {}", to_text(form.dense_shape));
  const auto n = static_cast<int64_t>(values);
  SDX_ASSIGN(form.indices, indices_of(DType::i64, linear ? Shape{n} : Shape{n, 2}, data, copies));
  const auto indices = form.indices.values<int64_t>();
  if (linear) {
    SDX_TRY(check_range(indices, count_of(form.dense_shape), "the index"));
  } else {
    for (size_t i = 0; i < indices.size(); ++i)
      SDX_TRY(check_range(indices.subspan(i, 1), form.dense_shape[i % 2], i % 2 == 0 ? "the row" : "the column"));
  }
  form.format = ORT_SPARSE_COO;
  value.set_sparse(std::move(form));
  return {};
}

Status fill_csr(OrtValue& value, abi::SparseForm form, std::span<const int64_t> inner, std::span<const int64_t> outer,
                bool copies) {
  const int64_t values = form.values.count();
  if (form.dense_shape.size() != 2)
    return invalid_argument("a CSR tensor has the dense shape {}; 2 dimensions are wanted", to_text(form.dense_shape));
  const int64_t rows = form.dense_shape[0];
  const bool empty = values == 0 && outer.empty();
  if (static_cast<int64_t>(inner.size()) != values || (!empty && static_cast<int64_t>(outer.size()) != rows + 1))
    return invalid_argument(
        "a CSR tensor of {} rows and {} values has {} inner and {} outer indices; {} and {} are "
        "wanted",
        rows, values, inner.size(), outer.size(), values, rows + 1);
  SDX_TRY(check_range(inner, form.dense_shape[1], "the column"));
  for (size_t i = 0; i < outer.size(); ++i) {
    const bool ends = i + 1 == outer.size() && outer[i] != values;
    if (outer[i] < (i == 0 ? 0 : outer[i - 1]) || (i == 0 && outer[i] != 0) || ends)
      return invalid_argument("the outer index {} is {}; they rise from 0 to the {} values", i, outer[i], values);
  }
  SDX_ASSIGN(form.indices, indices_of(DType::i64, Shape{values}, inner.data(), copies));
  SDX_ASSIGN(form.outer, indices_of(DType::i64, Shape{static_cast<int64_t>(outer.size())}, outer.data(), copies));
  form.format = ORT_SPARSE_CSRC;
  value.set_sparse(std::move(form));
  return {};
}

Status fill_blocks(OrtValue& value, abi::SparseForm form, const Shape& shape, const int32_t* data, bool copies) {
  const Shape& blocks = form.values.shape();
  if (blocks.size() < 3 || shape.size() != 2 || shape[0] != 2 || shape[1] != blocks[0])
    return invalid_argument(
        "a block sparse tensor has values {} and indices {}; [blocks, rows, columns] and [2, "
        "blocks] are wanted",
        to_text(blocks), to_text(shape));
  SDX_ASSIGN(form.indices, indices_of(DType::i32, shape, data, copies));
  for (const int32_t index : form.indices.values<int32_t>())
    if (index < 0) return invalid_argument("the block index {} is negative", index);
  form.format = ORT_SPARSE_BLOCK_SPARSE;
  value.set_sparse(std::move(form));
  return {};
}

Result<const Tensor*> indices_in(const abi::SparseForm& form, OrtSparseIndicesFormat which) {
  switch (which) {
    case ORT_SPARSE_COO_INDICES:
      if (form.format == ORT_SPARSE_COO) return &form.indices;
      break;
    case ORT_SPARSE_CSR_INNER_INDICES:
      if (form.format == ORT_SPARSE_CSRC) return &form.indices;
      break;
    case ORT_SPARSE_CSR_OUTER_INDICES:
      if (form.format == ORT_SPARSE_CSRC) return &form.outer;
      break;
    case ORT_SPARSE_BLOCK_SPARSE_INDICES:
      if (form.format == ORT_SPARSE_BLOCK_SPARSE) return &form.indices;
      break;
    default: return invalid_argument("the format of the indices is {}, which is none", static_cast<int>(which));
  }
  return invalid_argument("indices of format {} are asked for, the sparse tensor's format is {}",
                          static_cast<int>(which), static_cast<int>(form.format));
}

// The values copied into a tensor that waits for its indices.
Result<abi::SparseForm> with_values(const OrtValue* value, const OrtMemoryInfo* info, const int64_t* dims, size_t count,
                                    const void* values) {
  SDX_ASSIGN(abi::SparseForm form, unfilled(value));
  SDX_TRY(check_cpu(info));
  SDX_ASSIGN(const Shape shape, shape_of(dims, count, "shape of the values"));
  SDX_ASSIGN(form.values, copy_values(form.values.dtype(), shape, values));
  return form;
}

OrtStatus* make_empty(Result<Tensor> values, const int64_t* dense_shape, size_t rank, OrtValue** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    abi::SparseForm form;
    SDX_ASSIGN(form.values, std::move(values));
    SDX_ASSIGN(form.dense_shape, shape_of(dense_shape, rank, "dense shape"));
    form.indices = vector_i64({});
    auto value = std::make_unique<OrtValue>();
    value->set_sparse(std::move(form));
    *out = value.release();
    return {};
  });
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL CreateSparseTensorAsOrtValue(OrtAllocator* allocator, const int64_t* dense_shape,
                                                       size_t dense_shape_len, ONNXTensorElementDataType type,
                                                       OrtValue** out) noexcept {
  const auto none = [&]() -> Result<Tensor> {
    SDX_NEED(allocator);
    SDX_ASSIGN(const DType made, numbers_or_strings(type));
    return copy_values(made, Shape{0}, "");
  };
  return make_empty(none(), dense_shape, dense_shape_len, out);
}

OrtStatusPtr ORT_API_CALL CreateSparseTensorWithValuesAsOrtValue(const OrtMemoryInfo* info, void* p_data,
                                                                 const int64_t* dense_shape, size_t dense_shape_len,
                                                                 const int64_t* values_shape, size_t values_shape_len,
                                                                 ONNXTensorElementDataType type,
                                                                 OrtValue** out) noexcept {
  const auto lent = [&]() -> Result<Tensor> {
    SDX_TRY(check_cpu(info));
    SDX_ASSIGN(const DType made, numbers_or_strings(type));
    if (made == DType::string) return invalid_argument("texts cannot be lent; FillSparseTensorCoo copies them");
    SDX_ASSIGN(const Shape shape, shape_of(values_shape, values_shape_len, "shape of the values"));
    if (count_of(shape) > 0) SDX_NEED(p_data);
    return Tensor::wrap(made, shape, p_data, nullptr);
  };
  return make_empty(lent(), dense_shape, dense_shape_len, out);
}

OrtStatusPtr ORT_API_CALL FillSparseTensorCoo(OrtValue* ort_value, const OrtMemoryInfo* data_mem_info,
                                              const int64_t* values_shape, size_t values_shape_len, const void* values,
                                              const int64_t* indices_data, size_t indices_num) noexcept {
  return answer([&]() -> Status {
    SDX_ASSIGN(auto form, with_values(ort_value, data_mem_info, values_shape, values_shape_len, values));
    return fill_coo(*ort_value, std::move(form), indices_data, indices_num, true);
  });
}

OrtStatusPtr ORT_API_CALL FillSparseTensorCsr(OrtValue* ort_value, const OrtMemoryInfo* data_mem_info,
                                              const int64_t* values_shape, size_t values_shape_len, const void* values,
                                              const int64_t* inner_indices_data, size_t inner_indices_num,
                                              const int64_t* outer_indices_data, size_t outer_indices_num) noexcept {
  return answer([&]() -> Status {
    SDX_ASSIGN(auto form, with_values(ort_value, data_mem_info, values_shape, values_shape_len, values));
    if (inner_indices_num > 0) SDX_NEED(inner_indices_data);
    if (outer_indices_num > 0) SDX_NEED(outer_indices_data);
    return fill_csr(*ort_value, std::move(form), {inner_indices_data, inner_indices_num},
                    {outer_indices_data, outer_indices_num}, true);
  });
}

OrtStatusPtr ORT_API_CALL FillSparseTensorBlockSparse(OrtValue* ort_value, const OrtMemoryInfo* data_mem_info,
                                                      const int64_t* values_shape, size_t values_shape_len,
                                                      const void* values, const int64_t* indices_shape_data,
                                                      size_t indices_shape_len, const int32_t* indices_data) noexcept {
  return answer([&]() -> Status {
    SDX_ASSIGN(auto form, with_values(ort_value, data_mem_info, values_shape, values_shape_len, values));
    SDX_ASSIGN(const Shape shape, shape_of(indices_shape_data, indices_shape_len, "shape of the indices"));
    return fill_blocks(*ort_value, std::move(form), shape, indices_data, true);
  });
}

OrtStatusPtr ORT_API_CALL UseCooIndices(OrtValue* ort_value, int64_t* indices_data, size_t indices_num) noexcept {
  return answer([&]() -> Status {
    SDX_ASSIGN(auto form, unfilled(ort_value));
    return fill_coo(*ort_value, std::move(form), indices_data, indices_num, false);
  });
}

OrtStatusPtr ORT_API_CALL UseCsrIndices(OrtValue* ort_value, int64_t* inner_data, size_t inner_num, int64_t* outer_data,
                                        size_t outer_num) noexcept {
  return answer([&]() -> Status {
    SDX_ASSIGN(auto form, unfilled(ort_value));
    if (inner_num > 0) SDX_NEED(inner_data);
    if (outer_num > 0) SDX_NEED(outer_data);
    return fill_csr(*ort_value, std::move(form), {inner_data, inner_num}, {outer_data, outer_num}, false);
  });
}

OrtStatusPtr ORT_API_CALL UseBlockSparseIndices(OrtValue* ort_value, const int64_t* indices_shape,
                                                size_t indices_shape_len, int32_t* indices_data) noexcept {
  return answer([&]() -> Status {
    SDX_ASSIGN(auto form, unfilled(ort_value));
    SDX_ASSIGN(const Shape shape, shape_of(indices_shape, indices_shape_len, "shape of the indices"));
    return fill_blocks(*ort_value, std::move(form), shape, indices_data, false);
  });
}

OrtStatusPtr ORT_API_CALL GetSparseTensorFormat(const OrtValue* ort_value, OrtSparseFormat* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(ort_value);
    SDX_NEED(out);
    SDX_ASSIGN(const auto form, ort_value->sparse());
    *out = form->format;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetSparseTensorValuesTypeAndShape(const OrtValue* ort_value,
                                                            OrtTensorTypeAndShapeInfo** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(ort_value);
    SDX_NEED(out);
    SDX_ASSIGN(const auto form, ort_value->sparse());
    *out = new OrtTensorTypeAndShapeInfo(abi::tensor_info_of(form->values.dtype(), form->values.shape()));
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetSparseTensorValues(const OrtValue* ort_value, const void** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(ort_value);
    SDX_NEED(out);
    SDX_ASSIGN(const auto form, ort_value->sparse());
    if (form->values.dtype() == DType::string)
      return invalid_argument("the sparse tensor holds strings, which have no memory of plain elements");
    *out = form->values.raw();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetSparseTensorIndicesTypeShape(const OrtValue* ort_value,
                                                          OrtSparseIndicesFormat indices_format,
                                                          OrtTensorTypeAndShapeInfo** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(ort_value);
    SDX_NEED(out);
    SDX_ASSIGN(const auto form, ort_value->sparse());
    SDX_ASSIGN(const Tensor* const indices, indices_in(*form, indices_format));
    *out = new OrtTensorTypeAndShapeInfo(abi::tensor_info_of(indices->dtype(), indices->shape()));
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetSparseTensorIndices(const OrtValue* ort_value, OrtSparseIndicesFormat indices_format,
                                                 size_t* num_indices, const void** indices) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(ort_value);
    SDX_NEED(num_indices);
    SDX_NEED(indices);
    SDX_ASSIGN(const auto form, ort_value->sparse());
    SDX_ASSIGN(const Tensor* const found, indices_in(*form, indices_format));
    *num_indices = static_cast<size_t>(found->count());
    *indices = found->raw();
    return {};
  });
}

}  // namespace ort_api
}  // namespace sdx::api
