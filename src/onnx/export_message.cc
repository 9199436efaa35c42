#include "onnx/export_message.h"

#include "onnx/value_proto.h"

namespace sdx::onnx {
namespace {

bool mentions_anonymous(const Dim& dim, const SymbolTable& symbols) {
  for (const Dim::Term& term : dim.terms())
    for (const AtomId id : term.atoms) {
      const auto& atom = symbols.atom(id);
      if (atom.anonymous || mentions_anonymous(atom.a, symbols) || mentions_anonymous(atom.b, symbols)) return true;
    }
  return false;
}

DimensionProto dimension_message(const Dim& dim, const SymbolTable& symbols, Keeper& keeper) {
  DimensionProto proto;
  if (dim.is_known()) {
    if (dim.known() >= 0) proto.dim_value = dim.known();
    return proto;
  }
  if (mentions_anonymous(dim, symbols)) return proto;
  const auto atom = dim.as_atom();
  const bool named = atom && symbols.atom(*atom).function == SymbolTable::Function::symbol;
  proto.dim_param = keeper.text(named ? symbols.atom(*atom).name : symbols.to_text(dim));
  return proto;
}

bool tensor_type_message(const Fact& fact, const SymbolTable& symbols, Keeper& keeper, TensorTypeProto& type) {
  if (fact.dtype == DType::undefined) return false;
  type.elem_type = static_cast<int32_t>(fact.dtype);
  if (!fact.shape) return true;
  TensorShapeProto& shape = type.shape.make();
  for (const Dim& dim : *fact.shape) shape.dim.push_back(dimension_message(dim, symbols, keeper));
  return true;
}

bool element_message(const Fact& fact, const SymbolTable& symbols, Keeper& keeper, Box<TypeProto>& type) {
  return !fact.inner.empty() && type_message(fact.inner[0], symbols, keeper, type.make());
}

}  // namespace

bool type_message(const Fact& fact, const SymbolTable& symbols, Keeper& keeper, TypeProto& type) {
  switch (fact.kind) {
    case ValueKind::tensor: return tensor_type_message(fact, symbols, keeper, type.tensor_type.make());
    case ValueKind::sparse: return tensor_type_message(fact, symbols, keeper, type.sparse_tensor_type.make());
    case ValueKind::sequence: return element_message(fact, symbols, keeper, type.sequence_type.make().elem_type);
    case ValueKind::optional: return element_message(fact, symbols, keeper, type.optional_type.make().elem_type);
    case ValueKind::map: {
      MapTypeProto& map = type.map_type.make();
      map.key_type = static_cast<int32_t>(fact.dtype);
      return fact.dtype != DType::undefined && element_message(fact, symbols, keeper, map.value_type);
    }
    case ValueKind::none: break;
  }
  return false;
}

TensorProto kept_tensor(const Tensor& tensor, std::string_view name, Keeper& keeper) {
  return tensor_message(keeper.tensor(tensor), keeper.text(name));
}

namespace {

class AttributeWriter {
 public:
  AttributeWriter(AttributeProto& proto, const SymbolTable& symbols, Keeper& keeper)
      : proto_(proto), symbols_(symbols), keeper_(keeper) {}

  Status operator()(float f) { return set([&] { proto_.f = f; }); }
  Status operator()(int64_t i) { return set([&] { proto_.i = i; }); }
  Status operator()(const std::string& s) { return set([&] { proto_.s = keeper_.text(s); }); }
  Status operator()(const Tensor& tensor) { return set([&] { proto_.t.make() = kept_tensor(tensor, "", keeper_); }); }
  Status operator()(const std::vector<float>& list) { return set([&] { proto_.floats = Numbers<float>(list); }); }
  Status operator()(const std::vector<int64_t>& list) { return set([&] { proto_.ints = Numbers<int64_t>(list); }); }
  Status operator()(const std::vector<std::string>& list) {
    for (const std::string& text : list) proto_.strings.push_back(keeper_.text(text));
    return {};
  }
  Status operator()(const std::vector<Tensor>& list) {
    for (const Tensor& tensor : list) proto_.tensors.push_back(kept_tensor(tensor, "", keeper_));
    return {};
  }
  Status operator()(const SparseTensor& sparse) { return set([&] { proto_.sparse_tensor.make() = message(sparse); }); }
  Status operator()(const std::vector<SparseTensor>& list) {
    for (const SparseTensor& sparse : list) proto_.sparse_tensors.push_back(message(sparse));
    return {};
  }
  Status operator()(const Fact& fact) { return type(fact, proto_.tp.make()); }
  Status operator()(const std::vector<Fact>& list) {
    for (const Fact& fact : list) SDX_TRY(type(fact, proto_.type_protos.emplace_back()));
    return {};
  }
  Status operator()(const GraphBox&) { return no_subgraph(); }
  Status operator()(const std::vector<GraphBox>&) { return no_subgraph(); }

 private:
  template <typename F>
  static Status set(F assign) {
    assign();
    return {};
  }
  static Status no_subgraph() { return invalid_argument("a subgraph is no plain attribute"); }
  SparseTensorProto message(const SparseTensor& sparse) {
    SparseTensorProto made;
    made.values.make() = kept_tensor(sparse.values, "", keeper_);
    made.indices.make() = kept_tensor(sparse.indices, "", keeper_);
    made.dims = Numbers<int64_t>({sparse.dense_shape.begin(), sparse.dense_shape.end()});
    return made;
  }
  Status type(const Fact& fact, TypeProto& type) {
    if (type_message(fact, symbols_, keeper_, type)) return {};
    return invalid_argument("the type {} cannot be written", to_text(fact, symbols_));
  }

  AttributeProto& proto_;
  const SymbolTable& symbols_;
  Keeper& keeper_;
};

}  // namespace

Result<AttributeProto> attribute_message(const Attribute& attribute, const SymbolTable& symbols, Keeper& keeper) {
  AttributeProto proto;
  proto.name = keeper.text(attribute.name);
  proto.type = static_cast<int32_t>(attribute.kind());
  SDX_TRY(std::visit(AttributeWriter(proto, symbols, keeper), attribute.content)
              .with_prefix(formatted("attribute \"{}\": ", attribute.name)));
  return proto;
}

Fact interface_fact(const ValueInfo& value, const SymbolTable& symbols) {
  const Fact& known = value.fact;
  if (!value.declared || value.declared->kind == ValueKind::none) return known;
  Fact said = *value.declared;
  if (known.kind == ValueKind::none) return said;
  if (said.kind != known.kind || (known.dtype != DType::undefined && said.dtype != known.dtype)) return known;
  if (!known.is_tensor() || !known.shape) return said;
  if (!said.shape || said.shape->size() != known.shape->size()) {
    said.shape = known.shape;
    return said;
  }
  for (size_t i = 0; i < known.shape->size(); ++i) {
    Dim& dim = (*said.shape)[i];
    if ((*known.shape)[i].is_known() || (!dim.is_known() && mentions_anonymous(dim, symbols))) dim = (*known.shape)[i];
  }
  return said;
}

}  // namespace sdx::onnx
