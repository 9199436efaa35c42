// What a graph declares: its inputs, initializers and outputs, and the shapes that it says its values have.
#include "onnx/import_scope.h"

#include <algorithm>
#include <unordered_set>

#include "onnx/import_types.h"

namespace sdx::onnx {
namespace {

// Some exporters call every size that they do not know "?": these are not one size.
void forget_no_names(Fact& fact, SymbolTable& symbols) {
  if (!fact.shape) return;
  for (Dim& dim : *fact.shape)
    if (const auto atom = dim.as_atom(); atom && symbols.atom(*atom).name == "?") dim = symbols.fresh();
}

constexpr int64_t kMostNamedElements = 16;  // longer inputs are data, not shapes

// Small integer inputs may carry shapes: each element becomes a symbol, "sizes[0]".
void name_elements(Fact& fact, std::string_view name, SymbolTable& symbols) {
  const bool integers = fact.is_tensor() && (fact.dtype == DType::i64 || fact.dtype == DType::i32);
  const auto shape = fact.known_shape();
  if (!integers || !shape || shape->size() > 1 || count_of(*shape) > kMostNamedElements) return;
  std::vector<Dim> elements;
  for (int64_t i = 0; i < count_of(*shape); ++i) {
    const std::string symbol = formatted("{}[{}]", name, i);
    elements.push_back(symbols.find(symbol) ? symbols.fresh_value() : symbols.value_symbol(symbol));
  }
  fact.elements = std::move(elements);
}

}  // namespace

void Scope::note_declared(const GraphProto& proto) {
  for (const ValueInfoProto& info : proto.value_info) declared_.emplace(info.name, &info);
  for (const ValueInfoProto& info : proto.output) {
    declared_.emplace(info.name, &info);
    output_names_.emplace(info.name);
  }
}

Status Scope::add_inputs(const GraphProto& proto) {
  std::unordered_set<std::string_view> weights;
  for (const TensorProto& tensor : proto.initializer) weights.insert(tensor.name);
  for (const SparseTensorProto& tensor : proto.sparse_initializer)
    if (tensor.values) weights.insert(tensor.values->name);
  // Before IR version 4 every initializer had to be among the inputs, and was a constant all the same.
  const bool inputs_name_weights = state_.model.proto.ir_version.value_or(0) < 4;
  for (const ValueInfoProto& info : proto.input) {
    if (inputs_name_weights && weights.count(info.name) > 0) continue;
    auto fact = fact_from_type(info.type.get(), graph_.symbols());
    if (!fact.ok()) return std::move(fact).status().with_prefix(formatted("input \"{}\": ", info.name));
    if (fact->shape) {
      for (Dim& dim : *fact->shape) {
        const auto atom = dim.as_atom();
        if (!atom) continue;
        const auto fixed = state_.options.symbol_values.find(graph_.symbols().atom(*atom).name);
        if (fixed != state_.options.symbol_values.end()) dim = Dim(fixed->second);
      }
    }
    const Fact declared = *fact;
    forget_no_names(*fact, graph_.symbols());
    for (Fact& inner : fact->inner) forget_shapes(inner);
    const ValueId id = graph_.add_input(info.name, std::move(fact).value());
    graph_.value(id).declared = declared;
    if (outer_ == nullptr) name_elements(graph_.value(id).fact, info.name, graph_.symbols());
    if (outer_ == nullptr && graph_.fact(id).shape)
      for (const Dim& dim : *graph_.fact(id).shape)
        if (const auto atom = dim.as_atom()) state_.input_symbols.insert(*atom);
    if (auto status = define(std::string(info.name), id); !status.ok())
      return invalid_graph("two inputs are named \"{}\"", info.name);
  }
  return {};
}

Status Scope::add_initializers(const GraphProto& proto) {
  std::unordered_set<std::string_view> seen;
  const auto place = [&](std::string_view name, Fact fact, Value sparse) -> Status {
    if (!seen.insert(name).second) return invalid_graph("two initializers are named \"{}\"", name);
    const auto existing = names_.find(std::string(name));
    if (existing != names_.end()) {  // also an input: a default that callers may replace
      ValueInfo& value = graph_.value(existing->second);
      value.is_initializer = true;
      value.initial = fact.constant.defined() ? Value(fact.constant) : std::move(sparse);
      return {};
    }
    const ValueId id = graph_.add_value(name, std::move(fact));
    graph_.value(id).is_initializer = true;
    graph_.value(id).initial = std::move(sparse);
    return define(std::string(name), id);
  };
  for (const TensorProto& tensor : proto.initializer) {
    SDX_ASSIGN(Tensor data, state_.model.tensor(tensor, formatted("initializer \"{}\"", tensor.name)));
    const auto& replaced = state_.options.weights;
    if (const auto other = replaced.find(std::string(tensor.name)); other != replaced.end() && outer_ == nullptr) {
      if (other->second.dtype() != data.dtype() || !(other->second.shape() == data.shape()))
        return invalid_argument("initializer \"{}\" is {}{}, what replaces it is {}{}", tensor.name,
                                sdx::name(data.dtype()), to_text(data.shape()), sdx::name(other->second.dtype()),
                                to_text(other->second.shape()));
      data = other->second;
    }
    SDX_TRY(place(tensor.name, Fact::constant_of(std::move(data)), {}));
  }
  for (const SparseTensorProto& tensor : proto.sparse_initializer) {
    const Text name = tensor.values ? tensor.values->name : Text();
    SDX_ASSIGN(const SparseTensor sparse,
               sparse_from_proto(tensor, state_.model.source(), formatted("initializer \"{}\"", name)));
    SDX_ASSIGN(Tensor dense, make_dense(sparse));
    state_.forms.add_constant(std::string(name), dense, {nullptr, &tensor});
    SDX_TRY(place(name, Fact::constant_of(std::move(dense)), {}));
  }
  return {};
}

Status Scope::add_outputs(const GraphProto& proto) {
  std::unordered_set<std::string_view> seen;
  for (const ValueInfoProto& info : proto.output) {
    if (!seen.insert(info.name).second) return invalid_graph("two outputs are named \"{}\"", info.name);
    const auto id = resolve(std::string(info.name));
    if (!id)
      return invalid_graph("output \"{}\" is produced by no node and is neither input nor initializer", info.name);
    graph_.add_output(*id);
    ValueInfo& value = graph_.value(*id);
    if (!value.declared) {
      SDX_ASSIGN(Fact declared, fact_from_type(info.type.get(), graph_.symbols()));
      if (value.fact.kind == ValueKind::none) value.fact = declared;
      value.declared = std::move(declared);
      SDX_TRY(check_declared(value));
    }
  }
  return {};
}

// Both are made of the inputs' sizes alone, and differ for all sizes above 0.
bool Scope::clash(const Dim& found, const Dim& said) const {
  const auto is_bound = [&](const Dim& dim) {
    return std::ranges::all_of(dim.terms(), [&](const Dim::Term& term) {
      return std::ranges::all_of(term.atoms, [&](AtomId atom) { return state_.input_symbols.contains(atom); });
    });
  };
  if (found == said || !is_bound(found) || !is_bound(said)) return false;
  SymbolTable& symbols = graph_.symbols();
  return symbols.is_non_negative(symbols.sub(found, said)) || symbols.is_non_negative(symbols.sub(said, found));
}

// What is declared and is not so gives a warning and is ignored, but for the type of an output: callers prepare for it.
Status Scope::check_declared(const ValueInfo& value) const {
  const Fact &found = value.fact, &said = *value.declared;
  if (found.kind == ValueKind::none || said.kind == ValueKind::none) return {};
  const bool types_clash = found.kind != said.kind || (found.dtype != said.dtype && found.dtype != DType::undefined &&
                                                       said.dtype != DType::undefined);
  const auto text = [&](const Fact& fact) { return to_text(fact, graph_.symbols()); };
  const std::string message = formatted("value \"{}\" is declared {} but is {}", value.name, text(said), text(found));
  if (types_clash && output_names_.contains(value.name)) return make_error(Code::fail, "{}", message);
  bool shapes_clash = false;
  if (found.shape && said.shape) {
    shapes_clash = found.shape->size() != said.shape->size();
    for (size_t i = 0; !shapes_clash && i < found.shape->size(); ++i)
      shapes_clash = clash((*found.shape)[i], (*said.shape)[i]);
  }
  if (!types_clash && !shapes_clash) return {};
  if (state_.options.strict_shapes) return invalid_graph("{}", message);
  state_.contradicted.insert(value.name);
  state_.warnings.push_back(message +
                            (types_clash ? "; what is declared is ignored" : "; the declared shape is ignored"));
  return {};
}

}  // namespace sdx::onnx
