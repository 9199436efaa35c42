#include "abi/element_type.h"

namespace sdx::abi {

ONNXTensorElementDataType element_type_of(DType type) {
  switch (type) {
    case DType::u2: return ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2;
    case DType::i2: return ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2;
    case DType::f8e8m0: return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0;
    default: break;
  }
  return type <= DType::f4e2m1 ? static_cast<ONNXTensorElementDataType>(type) : ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
}

DType dtype_of(ONNXTensorElementDataType type) {
  switch (type) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2: return DType::u2;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2: return DType::i2;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0: return DType::f8e8m0;
    default: break;
  }
  const auto number = static_cast<int>(type);
  return number > 0 && number <= static_cast<int>(DType::f4e2m1) ? static_cast<DType>(number) : DType::undefined;
}

ONNXType onnx_type_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::none: return ONNX_TYPE_UNKNOWN;
    case ValueKind::tensor: return ONNX_TYPE_TENSOR;
    case ValueKind::sequence: return ONNX_TYPE_SEQUENCE;
    case ValueKind::map: return ONNX_TYPE_MAP;
    case ValueKind::optional: return ONNX_TYPE_OPTIONAL;
    case ValueKind::sparse: return ONNX_TYPE_SPARSETENSOR;
  }
  return ONNX_TYPE_UNKNOWN;
}

ValueKind kind_of(ONNXType type) {
  switch (type) {
    case ONNX_TYPE_TENSOR: return ValueKind::tensor;
    case ONNX_TYPE_SEQUENCE: return ValueKind::sequence;
    case ONNX_TYPE_MAP: return ValueKind::map;
    case ONNX_TYPE_SPARSETENSOR: return ValueKind::sparse;
    case ONNX_TYPE_OPTIONAL: return ValueKind::optional;
    default: return ValueKind::none;
  }
}

}  // namespace sdx::abi
