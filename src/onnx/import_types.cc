#include "onnx/import_types.h"

namespace sdx::onnx {
namespace {

constexpr int kMaxTypeDepth = 32;

Result<Fact> tensor_fact_from(const TensorTypeProto& type, ValueKind kind, SymbolTable& symbols) {
  const DType dtype = dtype_from_onnx(type.elem_type.value_or(0));
  if (dtype == DType::undefined && type.elem_type.value_or(0) != 0)
    return invalid_graph("element type {} is none of the standard's", *type.elem_type);
  Fact fact = Fact::tensor(dtype);
  fact.kind = kind;
  if (!type.shape) return fact;
  fact.shape.emplace();
  for (const DimensionProto& dim : type.shape->dim) {
    if (dim.dim_value && *dim.dim_value >= 0) {
      fact.shape->push_back(Dim(*dim.dim_value));
    } else {
      fact.shape->push_back(dim.dim_param.empty() ? symbols.fresh() : symbols.symbol(dim.dim_param));
    }
  }
  return fact;
}

Result<Fact> fact_at_depth(const TypeProto* type, SymbolTable& symbols, int depth) {
  if (depth > kMaxTypeDepth) return invalid_graph("a type is nested deeper than {}", kMaxTypeDepth);
  if (type == nullptr) return Fact();
  if (type->tensor_type) return tensor_fact_from(*type->tensor_type, ValueKind::tensor, symbols);
  if (type->sparse_tensor_type) return tensor_fact_from(*type->sparse_tensor_type, ValueKind::sparse, symbols);
  if (type->sequence_type) {
    SDX_ASSIGN(Fact element, fact_at_depth(type->sequence_type->elem_type.get(), symbols, depth + 1));
    return Fact::sequence(std::move(element));
  }
  if (type->optional_type) {
    SDX_ASSIGN(Fact element, fact_at_depth(type->optional_type->elem_type.get(), symbols, depth + 1));
    return Fact::optional(std::move(element));
  }
  if (type->map_type) {
    SDX_ASSIGN(Fact values, fact_at_depth(type->map_type->value_type.get(), symbols, depth + 1));
    Fact fact;
    fact.kind = ValueKind::map;
    fact.dtype = dtype_from_onnx(type->map_type->key_type.value_or(0));
    fact.inner.push_back(std::move(values));
    return fact;
  }
  return Fact();
}

std::vector<std::string> strings_of(const Texts& texts) { return {texts.begin(), texts.end()}; }

}  // namespace

Result<Fact> fact_from_type(const TypeProto* type, SymbolTable& symbols) { return fact_at_depth(type, symbols, 0); }

void forget_shapes(Fact& fact) {
  fact.shape.reset();
  for (Fact& inner : fact.inner) forget_shapes(inner);
}

std::string canonical_domain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string() : std::string(domain);
}

AttributeKind type_of(const AttributeProto& attribute) {
  if (attribute.type && *attribute.type != 0) return static_cast<AttributeKind>(*attribute.type);
  if (attribute.f) return AttributeKind::f;
  if (attribute.i) return AttributeKind::i;
  if (attribute.s.data() != nullptr) return AttributeKind::s;
  if (attribute.t) return AttributeKind::tensor;
  if (attribute.g) return AttributeKind::graph;
  if (!attribute.floats.empty()) return AttributeKind::floats;
  if (!attribute.ints.empty()) return AttributeKind::ints;
  if (!attribute.strings.empty()) return AttributeKind::strings;
  if (!attribute.tensors.empty()) return AttributeKind::tensors;
  if (!attribute.graphs.empty()) return AttributeKind::graphs;
  if (attribute.sparse_tensor) return AttributeKind::sparse_tensor;
  if (attribute.tp) return AttributeKind::type;
  return AttributeKind::undefined;
}

Result<Attribute> attribute_from_proto(const AttributeProto& a, const Model& model, SymbolTable& symbols) {
  Attribute made{std::string(a.name), int64_t{0}};
  const auto what = [&] { return formatted("attribute \"{}\"", a.name); };
  switch (type_of(a)) {
    case AttributeKind::f: made.content = a.f.value_or(0.0f); return made;
    case AttributeKind::i: made.content = a.i.value_or(0); return made;
    case AttributeKind::s: made.content = std::string(a.s); return made;
    case AttributeKind::floats: made.content = a.floats.values(); return made;
    case AttributeKind::ints: made.content = a.ints.values(); return made;
    case AttributeKind::strings: made.content = strings_of(a.strings); return made;
    case AttributeKind::tensor: {
      if (!a.t) return invalid_graph("{} is of kind tensor but holds none", what());
      SDX_ASSIGN(Tensor tensor, model.tensor(*a.t, what()));
      made.content = std::move(tensor);
      return made;
    }
    case AttributeKind::tensors: {
      std::vector<Tensor> list;
      for (const TensorProto& proto : a.tensors) {
        SDX_ASSIGN(Tensor tensor, model.tensor(proto, what()));
        list.push_back(std::move(tensor));
      }
      made.content = std::move(list);
      return made;
    }
    case AttributeKind::sparse_tensor: {
      if (!a.sparse_tensor) return invalid_graph("{} is of kind sparse_tensor but holds none", what());
      SDX_ASSIGN(SparseTensor sparse, sparse_from_proto(*a.sparse_tensor, model.source(), what()));
      made.content = std::move(sparse);
      return made;
    }
    case AttributeKind::sparse_tensors: {
      std::vector<SparseTensor> list;
      for (const SparseTensorProto& proto : a.sparse_tensors) {
        SDX_ASSIGN(SparseTensor sparse, sparse_from_proto(proto, model.source(), what()));
        list.push_back(std::move(sparse));
      }
      made.content = std::move(list);
      return made;
    }
    case AttributeKind::type: {
      SDX_ASSIGN(Fact fact, fact_from_type(a.tp.get(), symbols));
      made.content = std::move(fact);
      return made;
    }
    case AttributeKind::types: {
      std::vector<Fact> list;
      for (const TypeProto& proto : a.type_protos) {
        SDX_ASSIGN(Fact fact, fact_from_type(&proto, symbols));
        list.push_back(std::move(fact));
      }
      made.content = std::move(list);
      return made;
    }
    default: return invalid_graph("{} is of unknown kind {}", what(), static_cast<int>(type_of(a)));
  }
}

}  // namespace sdx::onnx
