// Types as the ABI describes them. A dimension without a number is -1 and may have a name.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/value.h"
#include "graph/fact.h"
#include "onnxruntime_c_api.h"

struct OrtTensorTypeAndShapeInfo {
  ONNXTensorElementDataType element_type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  bool has_shape = false;
  std::vector<int64_t> dims;
  std::vector<std::string> symbols;  // as long as `dims`; "" where there is no name
};

// Each holds one type; a vector because the type is not complete yet.
struct OrtSequenceTypeInfo {
  std::vector<OrtTypeInfo> element;
};
struct OrtOptionalTypeInfo {
  std::vector<OrtTypeInfo> contained;
};
struct OrtMapTypeInfo {
  ONNXTensorElementDataType key = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  std::vector<OrtTypeInfo> value;
};

struct OrtTypeInfo {
  ONNXType type = ONNX_TYPE_UNKNOWN;
  OrtTensorTypeAndShapeInfo tensor;  // of dense and sparse tensors
  OrtSequenceTypeInfo sequence;
  OrtMapTypeInfo map;
  OrtOptionalTypeInfo optional;
  std::string denotation;
};

struct OrtValueInfo {
  std::string name;
  OrtTypeInfo type;
};

namespace sdx::abi {

OrtTensorTypeAndShapeInfo tensor_info_of(DType type, std::span<const int64_t> shape);
// `declared` names dimensions that inference knows only as expressions; may be null.
OrtTypeInfo type_info_of(const Fact& fact, const Fact* declared, const SymbolTable& symbols);
OrtTypeInfo type_info_of(const Value& value);

}  // namespace sdx::abi
