// Values: tensors made and read. Strings are in string_value.cc, sequences and maps in container_value.cc.
#include <cstring>

#include "abi/element_type.h"
#include "abi/type_info.h"
#include "abi/value.h"
#include "answer.h"
#include "tables.h"

namespace sdx::api {
namespace {

Result<Shape> read_shape(const int64_t* shape, size_t shape_len) {
  if (shape_len > 0) SDX_NEED(shape);
  Shape dims(std::span(shape, shape_len));
  if (!checked_count(dims))
    return invalid_argument("shape {} has a negative dimension or too many elements", to_text(dims));
  return dims;
}

Result<DType> read_type(ONNXTensorElementDataType type) {
  const DType dtype = abi::dtype_of(type);
  if (dtype == DType::undefined)
    return invalid_argument("the element type {} is not one of the ABI's", static_cast<int>(type));
  return dtype;
}

Result<size_t> bytes_of(DType type, const Shape& shape) {
  const auto bytes = byte_size(type, count_of(shape));
  if (!bytes) return invalid_argument("a tensor {}{} has more bytes than can be addressed", name(type), to_text(shape));
  return *bytes;
}

// A tensor over `data`, which must be big enough.
Result<std::unique_ptr<OrtValue>> tensor_over(const OrtMemoryInfo& info, void* data, size_t size, const int64_t* shape,
                                              size_t shape_len, ONNXTensorElementDataType type,
                                              std::shared_ptr<void> owner) {
  SDX_ASSIGN(const DType dtype, read_type(type));
  if (dtype == DType::string)
    return invalid_argument("a string tensor cannot lie in the caller's memory; CreateTensorAsOrtValue makes one");
  SDX_ASSIGN(Shape dims, read_shape(shape, shape_len));
  SDX_ASSIGN(const size_t wanted, bytes_of(dtype, dims));
  if (wanted > size)
    return invalid_argument("a tensor {}{} takes {} bytes, the memory given has {}", name(dtype), to_text(dims), wanted,
                            size);
  if (data == nullptr && wanted > 0) return invalid_argument("the argument \"p_data\" is a null pointer");
  auto value = std::make_unique<OrtValue>(
      Value(Tensor::wrap(dtype, std::move(dims), data, std::move(owner), abi::to_engine(info))));
  value->set_memory(info);
  return value;
}

Result<std::unique_ptr<OrtValue>> allocate_tensor(OrtAllocator& allocator, const int64_t* shape, size_t shape_len,
                                                  ONNXTensorElementDataType type) {
  SDX_ASSIGN(const DType dtype, read_type(type));
  SDX_ASSIGN(Shape dims, read_shape(shape, shape_len));
  if (dtype == DType::string) return OrtValue::of_strings(dims);
  SDX_ASSIGN(const size_t bytes, bytes_of(dtype, dims));
  const OrtMemoryInfo* info = allocator.Info == nullptr ? nullptr : allocator.Info(&allocator);
  if (info == nullptr) info = &abi::cpu_memory();
  SDX_ASSIGN(std::shared_ptr<void> memory, abi::allocate_with(allocator, bytes));
  void* data = memory.get();
  return tensor_over(*info, data, bytes, dims.data(), dims.size(), type, std::move(memory));
}

Result<const Tensor*> tensor_of(const OrtValue* value) {
  SDX_NEED(value);
  if (value->kind() != ValueKind::tensor)
    return invalid_argument("the value is {}, a tensor is wanted", to_text(value->content().type()));
  return &value->content().tensor();
}

Result<const Tensor*> numbers_of(const OrtValue* value) {
  SDX_ASSIGN(const Tensor* tensor, tensor_of(value));
  if (tensor->dtype() == DType::string)
    return invalid_argument(
        "the tensor holds strings, which have no memory of plain elements; GetStringTensorContent reads them");
  return tensor;
}

Status give(Result<std::unique_ptr<OrtValue>> made, OrtValue** out) {
  SDX_ASSIGN(auto value, std::move(made));
  *out = value.release();
  return {};
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL CreateTensorAsOrtValue(OrtAllocator* allocator, const int64_t* shape, size_t shape_len,
                                                 ONNXTensorElementDataType type, OrtValue** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(allocator);
    SDX_NEED(out);
    return give(allocate_tensor(*allocator, shape, shape_len, type), out);
  });
}

OrtStatusPtr ORT_API_CALL CreateTensorWithDataAsOrtValue(const OrtMemoryInfo* info, void* p_data, size_t p_data_len,
                                                         const int64_t* shape, size_t shape_len,
                                                         ONNXTensorElementDataType type, OrtValue** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    SDX_NEED(out);
    return give(tensor_over(*info, p_data, p_data_len, shape, shape_len, type, nullptr), out);
  });
}

OrtStatusPtr ORT_API_CALL CreateTensorWithDataAndDeleterAsOrtValue(OrtAllocator* deleter, void* p_data,
                                                                   size_t p_data_len, const int64_t* shape,
                                                                   size_t shape_len, ONNXTensorElementDataType type,
                                                                   OrtValue** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(deleter);
    SDX_NEED(p_data);
    SDX_NEED(out);
    const OrtMemoryInfo* info = deleter->Info == nullptr ? nullptr : deleter->Info(deleter);
    if (info == nullptr) info = &abi::cpu_memory();
    // The memory becomes the value's only once the value is made.
    SDX_ASSIGN(auto value, tensor_over(*info, p_data, p_data_len, shape, shape_len, type, nullptr));
    const Tensor& tensor = value->content().tensor();
    value->set(Tensor::wrap(tensor.dtype(), tensor.shape(), p_data,
                            std::shared_ptr<void>(p_data, [deleter](void* data) { deleter->Free(deleter, data); }),
                            tensor.memory()));
    *out = value.release();
    return {};
  });
}

void ORT_API_CALL ReleaseValue(OrtValue* input) noexcept { delete input; }

OrtStatusPtr ORT_API_CALL IsTensor(const OrtValue* value, int* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(value);
    SDX_NEED(out);
    *out = value->kind() == ValueKind::tensor ? 1 : 0;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL IsSparseTensor(const OrtValue* value, int* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(value);
    SDX_NEED(out);
    *out = value->kind() == ValueKind::sparse ? 1 : 0;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL HasValue(const OrtValue* value, int* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(value);
    SDX_NEED(out);
    const Value& content = value->content();
    const bool empty_optional = content.kind() == ValueKind::optional && !content.optional().element.defined();
    *out = content.defined() && !empty_optional ? 1 : 0;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetTensorMutableData(OrtValue* value, void** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    SDX_ASSIGN(const Tensor* tensor, numbers_of(value));
    *out = const_cast<void*>(tensor->raw());
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetTensorData(const OrtValue* value, const void** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    SDX_ASSIGN(const Tensor* tensor, numbers_of(value));
    *out = tensor->raw();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetTensorSizeInBytes(const OrtValue* ort_value, size_t* size) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(size);
    SDX_ASSIGN(const Tensor* tensor, numbers_of(ort_value));
    *size = tensor->byte_size();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL TensorAt(OrtValue* value, const int64_t* location_values, size_t location_values_count,
                                   void** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    SDX_ASSIGN(const Tensor* tensor, numbers_of(value));
    if (location_values_count != static_cast<size_t>(tensor->rank()))
      return invalid_argument("the location has {} indices, the tensor's rank is {}", location_values_count,
                              tensor->rank());
    if (location_values_count > 0) SDX_NEED(location_values);
    if (is_packed(tensor->dtype()))
      return invalid_argument("elements of {} are packed and have no address of their own", name(tensor->dtype()));
    int64_t index = 0;
    for (int axis = 0; axis < tensor->rank(); ++axis) {
      const int64_t at = location_values[axis];
      if (at < 0 || at >= tensor->dim(axis))
        return invalid_argument("index {} is {}, dimension {} is {}", axis, at, axis, tensor->dim(axis));
      index = index * tensor->dim(axis) + at;
    }
    *out = const_cast<std::byte*>(tensor->bytes()) + index * (bit_width(tensor->dtype()) / 8);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetTensorMemoryInfo(const OrtValue* value, const OrtMemoryInfo** mem_info) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(value);
    SDX_NEED(mem_info);
    *mem_info = &value->memory();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetTensorTypeAndShape(const OrtValue* value, OrtTensorTypeAndShapeInfo** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(value);
    SDX_NEED(out);
    if (value->kind() != ValueKind::sparse) {
      SDX_ASSIGN(const Tensor* tensor, tensor_of(value));
      *out = new OrtTensorTypeAndShapeInfo(abi::tensor_info_of(tensor->dtype(), tensor->shape()));
    } else {
      *out = new OrtTensorTypeAndShapeInfo(abi::type_info_of(value->content()).tensor);
    }
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetTensorElementTypeAndShapeDataReference(const OrtValue* value,
                                                                    ONNXTensorElementDataType* elem_type,
                                                                    const int64_t** shape_data,
                                                                    size_t* shape_data_count) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(elem_type);
    SDX_NEED(shape_data);
    SDX_NEED(shape_data_count);
    SDX_ASSIGN(const Tensor* tensor, tensor_of(value));
    *elem_type = abi::element_type_of(tensor->dtype());
    *shape_data = tensor->shape().data();
    *shape_data_count = tensor->shape().size();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetTypeInfo(const OrtValue* value, OrtTypeInfo** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(value);
    SDX_NEED(out);
    *out = new OrtTypeInfo(abi::type_info_of(value->content()));
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetValueType(const OrtValue* value, ONNXType* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(value);
    SDX_NEED(out);
    *out = abi::onnx_type_of(value->kind());
    return {};
  });
}

}  // namespace ort_api
}  // namespace sdx::api
