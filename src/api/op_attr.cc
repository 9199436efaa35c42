// Attributes as handles: made by callers for nodes and operators, read by operators and providers.
#include "abi/op_attr.h"

#include <cstring>

#include "abi/value.h"
#include "answer.h"
#include "tables.h"

namespace sdx::api {
namespace {

constexpr const char* kTypeNames[] = {"undefined", "int",     "ints",  "float", "floats",
                                      "string",    "strings", "graph", "tensor"};

const char* type_name(OrtOpAttrType type) {
  const auto index = static_cast<size_t>(type);
  return index < std::size(kTypeNames) ? kTypeNames[index] : "unknown";
}

template <typename T>
std::vector<T> list_of(const void* data, size_t count) {
  const T* const from = static_cast<const T*>(data);
  return {from, from + count};
}

// `len` counts elements, of a string its characters. Single numbers are read without it.
Result<Attribute::Content> content_of(const char* name, const void* data, size_t len, OrtOpAttrType type) {
  const bool list = type == ORT_OP_ATTR_INTS || type == ORT_OP_ATTR_FLOATS || type == ORT_OP_ATTR_STRINGS;
  if (data == nullptr && !(len == 0 && (list || type == ORT_OP_ATTR_STRING)))
    return invalid_argument("attribute \"{}\": the argument \"data\" is a null pointer", name);
  switch (type) {
    case ORT_OP_ATTR_INT: return Attribute::Content(*static_cast<const int64_t*>(data));
    case ORT_OP_ATTR_FLOAT: return Attribute::Content(*static_cast<const float*>(data));
    case ORT_OP_ATTR_STRING: return Attribute::Content(std::string(static_cast<const char*>(data), len));
    case ORT_OP_ATTR_INTS: return Attribute::Content(list_of<int64_t>(data, len));
    case ORT_OP_ATTR_FLOATS: return Attribute::Content(list_of<float>(data, len));
    case ORT_OP_ATTR_STRINGS: {
      std::vector<std::string> texts;
      for (const char* text : list_of<const char*>(data, len)) {
        if (text == nullptr) return invalid_argument("attribute \"{}\": text {} is a null pointer", name, texts.size());
        texts.emplace_back(text);
      }
      return Attribute::Content(std::move(texts));
    }
    default: break;
  }
  if (type == ORT_OP_ATTR_TENSOR || type == ORT_OP_ATTR_GRAPH)
    return not_implemented("attribute \"{}\": attributes that hold a {} cannot be made", name, type_name(type));
  return invalid_argument("attribute \"{}\": the type is {}, which is none", name, static_cast<int>(type));
}

// The bytes go out where they fit; what they need, always.
Status give_bytes(const void* bytes, size_t wanted, void* data, size_t len, size_t* out) {
  *out = wanted;
  if (wanted > len || (data == nullptr && wanted > 0))
    return invalid_argument("the buffer has {} bytes, {} are wanted", data == nullptr ? 0 : len, wanted);
  if (wanted > 0) std::memcpy(data, bytes, wanted);
  return {};
}

Status read(const Attribute& attribute, void* data, size_t len, size_t* out) {
  const auto list = [&](const auto& elements) {
    return give_bytes(elements.data(), elements.size() * sizeof(elements[0]), data, len, out);
  };
  switch (attribute.kind()) {
    case AttributeKind::i: return give_bytes(&std::get<int64_t>(attribute.content), sizeof(int64_t), data, len, out);
    case AttributeKind::f: return give_bytes(&std::get<float>(attribute.content), sizeof(float), data, len, out);
    case AttributeKind::s: return list(std::get<std::string>(attribute.content));
    case AttributeKind::ints: return list(std::get<std::vector<int64_t>>(attribute.content));
    case AttributeKind::floats: return list(std::get<std::vector<float>>(attribute.content));
    case AttributeKind::strings: {  // one behind the other, each with its 0
      std::string texts;
      for (const std::string& text : std::get<std::vector<std::string>>(attribute.content))
        texts.append(text).push_back('\0');
      return list(texts);
    }
    default: break;
  }
  return invalid_argument("attribute \"{}\" is a {}, which ReadOpAttr cannot give", attribute.name,
                          type_name(abi::op_attr_type_of(attribute)));
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL CreateOpAttr(const char* name, const void* data, int len, OrtOpAttrType type,
                                       OrtOpAttr** op_attr) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(name);
    SDX_NEED(op_attr);
    if (len < 0) return invalid_argument("attribute \"{}\": the length is {}", name, len);
    SDX_ASSIGN(auto content, content_of(name, data, static_cast<size_t>(len), type));
    *op_attr = new OrtOpAttr{{name, std::move(content)}};
    return {};
  });
}

void ORT_API_CALL ReleaseOpAttr(OrtOpAttr* input) noexcept { delete input; }

OrtStatusPtr ORT_API_CALL ReadOpAttr(const OrtOpAttr* op_attr, OrtOpAttrType type, void* data, size_t len,
                                     size_t* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(op_attr);
    SDX_NEED(out);
    const OrtOpAttrType own = abi::op_attr_type_of(op_attr->attribute);
    if (own != type)
      return invalid_argument("attribute \"{}\" is {}, {} is asked for", op_attr->attribute.name, type_name(own),
                              type_name(type));
    return read(op_attr->attribute, data, len, out);
  });
}

OrtStatusPtr ORT_API_CALL OpAttr_GetType(const OrtOpAttr* attribute, OrtOpAttrType* type) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(attribute);
    SDX_NEED(type);
    *type = abi::op_attr_type_of(attribute->attribute);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL OpAttr_GetName(const OrtOpAttr* attribute, const char** name) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(attribute);
    SDX_NEED(name);
    *name = attribute->attribute.name.c_str();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL OpAttr_GetTensorAttributeAsOrtValue(const OrtOpAttr* attribute,
                                                              OrtValue** attr_tensor) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(attribute);
    SDX_NEED(attr_tensor);
    const Tensor* const tensor = std::get_if<Tensor>(&attribute->attribute.content);
    if (tensor == nullptr)
      return invalid_argument("attribute \"{}\" is {}, a tensor is asked for", attribute->attribute.name,
                              type_name(abi::op_attr_type_of(attribute->attribute)));
    SDX_ASSIGN(Tensor copy, clone(*tensor));
    *attr_tensor = new OrtValue(Value(std::move(copy)));
    return {};
  });
}

OrtStatusPtr ORT_API_CALL ShapeInferContext_GetInputCount(const OrtShapeInferContext* context, size_t* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(out);
    *out = context->inputs.size();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL ShapeInferContext_GetInputTypeShape(const OrtShapeInferContext* context, size_t index,
                                                              OrtTensorTypeAndShapeInfo** info) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(info);
    if (index >= context->inputs.size())
      return invalid_argument("input {} is asked for, the node has {}", index, context->inputs.size());
    *info = new OrtTensorTypeAndShapeInfo(context->inputs[index]);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL ShapeInferContext_GetAttribute(const OrtShapeInferContext* context, const char* attr_name,
                                                         const OrtOpAttr** attr) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(attr_name);
    SDX_NEED(attr);
    const Attribute* const found = context->attributes == nullptr ? nullptr : context->attributes->find(attr_name);
    if (found == nullptr) return invalid_argument("the node has no attribute \"{}\"", attr_name);
    context->asked_for.push_back({*found});
    *attr = &context->asked_for.back();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL ShapeInferContext_SetOutputTypeShape(const OrtShapeInferContext* context, size_t index,
                                                               const OrtTensorTypeAndShapeInfo* info) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(info);
    if (index >= context->outputs.size())
      return invalid_argument("output {} is set, the node has {}", index, context->outputs.size());
    const_cast<OrtShapeInferContext*>(context)->outputs[index] = *info;
    return {};
  });
}

}  // namespace ort_api
}  // namespace sdx::api
