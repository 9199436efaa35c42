// The model editor's descriptions of types. Building models through the ABI is not implemented.
#include "abi/type_info.h"
#include "answer.h"
#include "tables.h"

namespace sdx::api {
namespace {

OrtStatus* make_type(OrtTypeInfo** type_info, ONNXType type, const void* part,
                     void (*fill)(OrtTypeInfo&, const void* part)) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(type_info);
    SDX_NEED(part);
    auto made = std::make_unique<OrtTypeInfo>();
    made->type = type;
    fill(*made, part);
    *type_info = made.release();
    return {};
  });
}

void fill_tensor(OrtTypeInfo& type, const void* part) {
  type.tensor = *static_cast<const OrtTensorTypeAndShapeInfo*>(part);
}

}  // namespace

namespace model_editor_api {

OrtStatusPtr ORT_API_CALL CreateTensorTypeInfo(const OrtTensorTypeAndShapeInfo* tensor_info,
                                               OrtTypeInfo** type_info) noexcept {
  return make_type(type_info, ONNX_TYPE_TENSOR, tensor_info, fill_tensor);
}

OrtStatusPtr ORT_API_CALL CreateSparseTensorTypeInfo(const OrtTensorTypeAndShapeInfo* tensor_info,
                                                     OrtTypeInfo** type_info) noexcept {
  return make_type(type_info, ONNX_TYPE_SPARSETENSOR, tensor_info, fill_tensor);
}

OrtStatusPtr ORT_API_CALL CreateSequenceTypeInfo(const OrtTypeInfo* sequence_type, OrtTypeInfo** type_info) noexcept {
  return make_type(type_info, ONNX_TYPE_SEQUENCE, sequence_type, [](OrtTypeInfo& type, const void* part) {
    type.sequence.element.push_back(*static_cast<const OrtTypeInfo*>(part));
  });
}

OrtStatusPtr ORT_API_CALL CreateOptionalTypeInfo(const OrtTypeInfo* contained_type, OrtTypeInfo** type_info) noexcept {
  return make_type(type_info, ONNX_TYPE_OPTIONAL, contained_type, [](OrtTypeInfo& type, const void* part) {
    type.optional.contained.push_back(*static_cast<const OrtTypeInfo*>(part));
  });
}

OrtStatusPtr ORT_API_CALL CreateMapTypeInfo(ONNXTensorElementDataType map_key_type, const OrtTypeInfo* map_value_type,
                                            OrtTypeInfo** type_info) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(map_value_type);
    SDX_NEED(type_info);
    auto made = std::make_unique<OrtTypeInfo>();
    made->type = ONNX_TYPE_MAP;
    made->map.key = map_key_type;
    made->map.value.push_back(*map_value_type);
    *type_info = made.release();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CreateValueInfo(const char* name, const OrtTypeInfo* type_info,
                                          OrtValueInfo** value_info) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(name);
    SDX_NEED(type_info);
    SDX_NEED(value_info);
    *value_info = new OrtValueInfo{name, *type_info};
    return {};
  });
}

}  // namespace model_editor_api
}  // namespace sdx::api
