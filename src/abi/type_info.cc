#include "abi/type_info.h"

#include "abi/element_type.h"

namespace sdx::abi {
namespace {

void put_dim(const Dim& dim, const Dim* declared, const SymbolTable& symbols, OrtTensorTypeAndShapeInfo& info) {
  const auto named = [&](const Dim& candidate) {
    const auto atom = candidate.as_atom();
    return atom && symbols.atom(*atom).function == SymbolTable::Function::symbol && !symbols.atom(*atom).anonymous;
  };
  int64_t value = -1;
  std::string name;
  if (dim.is_known()) {
    value = dim.known();
  } else if (declared != nullptr && declared->is_known()) {
    value = declared->known();
  } else if (named(dim)) {
    name = symbols.to_text(dim);
  } else if (declared != nullptr && named(*declared)) {
    name = symbols.to_text(*declared);
  } else if (const auto atom = dim.as_atom(); !atom || !symbols.atom(*atom).anonymous) {
    name = symbols.to_text(dim);
  }
  info.dims.push_back(value);
  info.symbols.push_back(std::move(name));
}

OrtTensorTypeAndShapeInfo tensor_info_of(const Fact& fact, const Fact* declared, const SymbolTable& symbols) {
  OrtTensorTypeAndShapeInfo info;
  const bool declares = declared != nullptr && declared->is_tensor();
  info.element_type = element_type_of(fact.dtype == DType::undefined && declares ? declared->dtype : fact.dtype);
  const auto& shape = fact.shape ? fact.shape : declares ? declared->shape : fact.shape;
  if (!shape) return info;
  info.has_shape = true;
  const bool same_rank = declares && declared->shape && declared->shape->size() == shape->size();
  for (size_t i = 0; i < shape->size(); ++i)
    put_dim((*shape)[i], same_rank ? &(*declared->shape)[i] : nullptr, symbols, info);
  return info;
}

OrtTypeInfo type_info_of(const ValueType& type) {
  OrtTypeInfo info;
  info.type = onnx_type_of(type.kind);
  const auto inner = [&] { return type.inner.empty() ? OrtTypeInfo() : type_info_of(type.inner[0]); };
  switch (type.kind) {
    case ValueKind::sequence: info.sequence.element.push_back(inner()); break;
    case ValueKind::optional: info.optional.contained.push_back(inner()); break;
    case ValueKind::map:
      info.map.key = element_type_of(type.dtype);
      info.map.value.push_back(inner());
      break;
    default: info.tensor.element_type = element_type_of(type.dtype);
  }
  return info;
}

}  // namespace

OrtTensorTypeAndShapeInfo tensor_info_of(DType type, std::span<const int64_t> shape) {
  OrtTensorTypeAndShapeInfo info;
  info.element_type = element_type_of(type);
  info.has_shape = true;
  info.dims.assign(shape.begin(), shape.end());
  info.symbols.resize(shape.size());
  return info;
}

OrtTypeInfo type_info_of(const Fact& fact, const Fact* declared, const SymbolTable& symbols) {
  OrtTypeInfo info;
  if (fact.kind == ValueKind::none && declared != nullptr && declared->kind != ValueKind::none)
    return type_info_of(*declared, nullptr, symbols);
  info.type = onnx_type_of(fact.kind);
  const Fact* const declared_inner =
      declared != nullptr && declared->kind == fact.kind && !declared->inner.empty() ? &declared->inner[0] : nullptr;
  const auto inner = [&] {
    return fact.inner.empty() ? OrtTypeInfo() : type_info_of(fact.inner[0], declared_inner, symbols);
  };
  switch (fact.kind) {
    case ValueKind::sequence: info.sequence.element.push_back(inner()); break;
    case ValueKind::optional: info.optional.contained.push_back(inner()); break;
    case ValueKind::map:
      info.map.key = element_type_of(fact.dtype);
      info.map.value.push_back(inner());
      break;
    default: info.tensor = tensor_info_of(fact, declared, symbols);
  }
  return info;
}

OrtTypeInfo type_info_of(const Value& value) {
  if (value.is_tensor()) {
    OrtTypeInfo info;
    info.type = ONNX_TYPE_TENSOR;
    info.tensor = tensor_info_of(value.tensor().dtype(), value.tensor().shape());
    return info;
  }
  if (value.kind() == ValueKind::sparse) {
    OrtTypeInfo info;
    info.type = ONNX_TYPE_SPARSETENSOR;
    info.tensor = tensor_info_of(value.sparse().values.dtype(), value.sparse().dense_shape);
    return info;
  }
  return type_info_of(value.type());
}

}  // namespace sdx::abi
