// Sequences and maps: taken apart and put together. Parts share memory with the whole.
#include "abi/element_type.h"
#include "abi/value.h"
#include "answer.h"
#include "tables.h"

namespace sdx::api {
namespace {

// Parts own what they point to; memory that the caller lent is copied, since the whole may outlive it.
Result<Value> owned(const OrtValue& part) {
  SDX_ASSIGN(Value value, part.value());
  if (!value.is_tensor() || value.tensor().owner() != nullptr) return value;
  SDX_ASSIGN(Tensor copy, clone(value.tensor()));
  return Value(std::move(copy));
}

Result<Value> make_sequence(std::span<const OrtValue* const> parts) {
  if (parts.empty()) return invalid_argument("a sequence needs at least one value: its type is the values'");
  Sequence sequence{parts[0]->content().type(), {}};
  for (size_t i = 0; i < parts.size(); ++i) {
    SDX_ASSIGN(Value value, owned(*parts[i]));
    if (!value.is_tensor() && value.kind() != ValueKind::map)
      return invalid_argument("value {} is {}; a sequence is made of tensors or maps", i, to_text(value.type()));
    if (value.type() != sequence.element_type)
      return invalid_argument("value {} is {}, value 0 is {}; a sequence's have one type", i, to_text(value.type()),
                              to_text(sequence.element_type));
    sequence.elements.push_back(std::move(value));
  }
  return Value(std::move(sequence));
}

Result<Value> make_map(std::span<const OrtValue* const> parts) {
  if (parts.size() != 2)
    return invalid_argument("a map is made of 2 values, keys and values; {} are given", parts.size());
  SDX_ASSIGN(const Value keys, owned(*parts[0]));
  SDX_ASSIGN(Value values, owned(*parts[1]));
  if (!keys.is_tensor() || !values.is_tensor())
    return invalid_argument("a map is made of two tensors, {} and {} are given", to_text(keys.type()),
                            to_text(values.type()));
  const Tensor &k = keys.tensor(), &v = values.tensor();
  if (k.dtype() != DType::string && !is_integer(k.dtype()))
    return invalid_argument("the keys of a map are {}; integers or strings are wanted", to_text(keys.type()));
  if (k.rank() != 1 || v.rank() != 1 || k.count() != v.count())
    return invalid_argument("the keys of a map have shape {}, its values {}; two equal shapes of rank 1 are wanted",
                            to_text(k.shape()), to_text(v.shape()));
  return Value(Map{k, std::move(values)});
}

Result<Value> part_of(const Value& whole, int index) {
  if (whole.kind() == ValueKind::sequence) {
    const auto& elements = whole.sequence().elements;
    if (index < 0 || static_cast<size_t>(index) >= elements.size())
      return invalid_argument("the index is {}, the sequence has {} elements", index, elements.size());
    return elements[static_cast<size_t>(index)];
  }
  if (whole.kind() == ValueKind::map) {
    if (index == 0) return Value(whole.map().keys);
    if (index == 1) return whole.map().values;
    return invalid_argument("the index is {}; a map has part 0, its keys, and part 1, its values", index);
  }
  if (whole.kind() == ValueKind::optional && whole.optional().element.kind() != ValueKind::none) {
    if (index == 0) return whole.optional().element;
    return invalid_argument("the index is {}; an optional has part 0, its value", index);
  }
  return invalid_argument("the value is {}, a sequence or map is wanted", to_text(whole.type()));
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL GetValueCount(const OrtValue* value, size_t* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(value);
    SDX_NEED(out);
    const Value& whole = value->content();
    if (whole.kind() != ValueKind::sequence && whole.kind() != ValueKind::map)
      return invalid_argument("the value is {}, a sequence or map is wanted", to_text(whole.type()));
    *out = whole.kind() == ValueKind::map ? 2 : whole.sequence().elements.size();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetValue(const OrtValue* value, int index, OrtAllocator* allocator, OrtValue** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(value);
    SDX_NEED(allocator);
    SDX_NEED(out);
    SDX_ASSIGN(Value part, part_of(value->content(), index));
    *out = new OrtValue(std::move(part));
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CreateValue(const OrtValue* const* in, size_t num_values, ONNXType value_type,
                                      OrtValue** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(in);
    SDX_NEED(out);
    const std::span parts(in, num_values);
    for (size_t i = 0; i < parts.size(); ++i)
      if (parts[i] == nullptr) return invalid_argument("value {} is a null pointer", i);
    if (value_type != ONNX_TYPE_SEQUENCE && value_type != ONNX_TYPE_MAP)
      return not_implemented("CreateValue makes sequences and maps, not type {}", static_cast<int>(value_type));
    SDX_ASSIGN(Value value, value_type == ONNX_TYPE_SEQUENCE ? make_sequence(parts) : make_map(parts));
    *out = new OrtValue(std::move(value));
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CreateOpaqueValue(const char* domain_name, const char* type_name, const void*, size_t,
                                            OrtValue**) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(domain_name);
    SDX_NEED(type_name);
    return not_implemented("the opaque type {}.{} is not supported", domain_name, type_name);
  });
}

OrtStatusPtr ORT_API_CALL GetOpaqueValue(const char* domain_name, const char* type_name, const OrtValue*, void*,
                                         size_t) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(domain_name);
    SDX_NEED(type_name);
    return not_implemented("the opaque type {}.{} is not supported", domain_name, type_name);
  });
}

}  // namespace ort_api
}  // namespace sdx::api
