// Types of tensors, sequences, maps and optionals: read, and made by callers that describe models.
#include "abi/type_info.h"
#include "abi/element_type.h"
#include "answer.h"
#include "tables.h"

namespace sdx::api {
namespace {

// The part of `info` for its kind, or null where it is of another kind.
template <typename Part>
OrtStatus* cast(const OrtTypeInfo* info, bool is_kind, const Part OrtTypeInfo::*part, const Part** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    *out = is_kind ? &(info->*part) : nullptr;
    return {};
  });
}

Status give_inner(const std::vector<OrtTypeInfo>& inner, OrtTypeInfo** out) {
  *out = inner.empty() ? new OrtTypeInfo() : new OrtTypeInfo(inner[0]);
  return {};
}

bool is(const OrtTypeInfo* info, ONNXType type) { return info != nullptr && info->type == type; }

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL GetOnnxTypeFromTypeInfo(const OrtTypeInfo* type_info, ONNXType* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(type_info);
    SDX_NEED(out);
    *out = type_info->type;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CastTypeInfoToTensorInfo(const OrtTypeInfo* type_info,
                                                   const OrtTensorTypeAndShapeInfo** out) noexcept {
  return cast(type_info, is(type_info, ONNX_TYPE_TENSOR) || is(type_info, ONNX_TYPE_SPARSETENSOR), &OrtTypeInfo::tensor,
              out);
}
OrtStatusPtr ORT_API_CALL CastTypeInfoToMapTypeInfo(const OrtTypeInfo* type_info, const OrtMapTypeInfo** out) noexcept {
  return cast(type_info, is(type_info, ONNX_TYPE_MAP), &OrtTypeInfo::map, out);
}
OrtStatusPtr ORT_API_CALL CastTypeInfoToSequenceTypeInfo(const OrtTypeInfo* type_info,
                                                         const OrtSequenceTypeInfo** out) noexcept {
  return cast(type_info, is(type_info, ONNX_TYPE_SEQUENCE), &OrtTypeInfo::sequence, out);
}
OrtStatusPtr ORT_API_CALL CastTypeInfoToOptionalTypeInfo(const OrtTypeInfo* type_info,
                                                         const OrtOptionalTypeInfo** out) noexcept {
  return cast(type_info, is(type_info, ONNX_TYPE_OPTIONAL), &OrtTypeInfo::optional, out);
}

OrtStatusPtr ORT_API_CALL GetDenotationFromTypeInfo(const OrtTypeInfo* type_info, const char** const denotation,
                                                    size_t* len) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(type_info);
    SDX_NEED(denotation);
    SDX_NEED(len);
    *denotation = type_info->denotation.c_str();
    *len = type_info->denotation.size();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetMapKeyType(const OrtMapTypeInfo* map_type_info, ONNXTensorElementDataType* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(map_type_info);
    SDX_NEED(out);
    *out = map_type_info->key;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetMapValueType(const OrtMapTypeInfo* map_type_info, OrtTypeInfo** type_info) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(map_type_info);
    SDX_NEED(type_info);
    return give_inner(map_type_info->value, type_info);
  });
}

OrtStatusPtr ORT_API_CALL GetSequenceElementType(const OrtSequenceTypeInfo* sequence_type_info,
                                                 OrtTypeInfo** type_info) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(sequence_type_info);
    SDX_NEED(type_info);
    return give_inner(sequence_type_info->element, type_info);
  });
}

OrtStatusPtr ORT_API_CALL GetOptionalContainedTypeInfo(const OrtOptionalTypeInfo* optional_type_info,
                                                       OrtTypeInfo** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(optional_type_info);
    SDX_NEED(out);
    return give_inner(optional_type_info->contained, out);
  });
}

OrtStatusPtr ORT_API_CALL CreateTensorTypeAndShapeInfo(OrtTensorTypeAndShapeInfo** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    *out = new OrtTensorTypeAndShapeInfo();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL SetTensorElementType(OrtTensorTypeAndShapeInfo* info,
                                               ONNXTensorElementDataType type) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    info->element_type = type;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL SetDimensions(OrtTensorTypeAndShapeInfo* info, const int64_t* dim_values,
                                        size_t dim_count) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    if (dim_count > 0) SDX_NEED(dim_values);
    for (size_t i = 0; i < dim_count; ++i)
      if (dim_values[i] < -1)
        return invalid_argument("dimension {} is {}; -1 (no number) or more is wanted", i, dim_values[i]);
    info->dims.assign(dim_values, dim_values + dim_count);
    info->symbols.assign(dim_count, {});
    info->has_shape = true;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL SetSymbolicDimensions(OrtTensorTypeAndShapeInfo* info, const char* dim_params[],
                                                size_t dim_params_length) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    if (dim_params_length > 0) SDX_NEED(dim_params);
    if (!info->has_shape) {
      info->dims.assign(dim_params_length, -1);
      info->has_shape = true;
    }
    if (dim_params_length != info->dims.size())
      return invalid_argument("{} names are given for {} dimensions", dim_params_length, info->dims.size());
    info->symbols.resize(dim_params_length);
    for (size_t i = 0; i < dim_params_length; ++i) info->symbols[i] = dim_params[i] == nullptr ? "" : dim_params[i];
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetTensorElementType(const OrtTensorTypeAndShapeInfo* info,
                                               ONNXTensorElementDataType* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    SDX_NEED(out);
    *out = info->element_type;
    return {};
  });
}

bool ORT_API_CALL TensorTypeAndShape_HasShape(const OrtTensorTypeAndShapeInfo* info) noexcept {
  return info != nullptr && info->has_shape;
}

OrtStatusPtr ORT_API_CALL GetDimensionsCount(const OrtTensorTypeAndShapeInfo* info, size_t* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    SDX_NEED(out);
    *out = info->dims.size();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetDimensions(const OrtTensorTypeAndShapeInfo* info, int64_t* dim_values,
                                        size_t dim_values_length) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    const size_t count = std::min(dim_values_length, info->dims.size());
    if (count > 0) SDX_NEED(dim_values);
    std::copy_n(info->dims.begin(), count, dim_values);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetSymbolicDimensions(const OrtTensorTypeAndShapeInfo* info, const char* dim_params[],
                                                size_t dim_params_length) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    const size_t count = std::min(dim_params_length, info->symbols.size());
    if (count > 0) SDX_NEED(dim_params);
    for (size_t i = 0; i < count; ++i) dim_params[i] = info->symbols[i].c_str();
    return {};
  });
}

// -1 as a size_t where a dimension has no number.
OrtStatusPtr ORT_API_CALL GetTensorShapeElementCount(const OrtTensorTypeAndShapeInfo* info, size_t* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    SDX_NEED(out);
    *out = static_cast<size_t>(checked_count(info->dims).value_or(-1));
    return {};
  });
}

void ORT_API_CALL ReleaseTypeInfo(OrtTypeInfo* input) noexcept { delete input; }
void ORT_API_CALL ReleaseTensorTypeAndShapeInfo(OrtTensorTypeAndShapeInfo* input) noexcept { delete input; }

// These are parts of an OrtTypeInfo, which owns them: no entry hands out one of its own.
void ORT_API_CALL ReleaseMapTypeInfo(OrtMapTypeInfo* /*input*/) noexcept {}
void ORT_API_CALL ReleaseSequenceTypeInfo(OrtSequenceTypeInfo* /*input*/) noexcept {}

OrtStatusPtr ORT_API_CALL GetValueInfoName(const OrtValueInfo* value_info, const char** name) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(value_info);
    SDX_NEED(name);
    *name = value_info->name.c_str();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetValueInfoTypeInfo(const OrtValueInfo* value_info, const OrtTypeInfo** type_info) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(value_info);
    SDX_NEED(type_info);
    *type_info = &value_info->type;
    return {};
  });
}

void ORT_API_CALL ReleaseValueInfo(OrtValueInfo* input) noexcept { delete input; }

}  // namespace ort_api
}  // namespace sdx::api
