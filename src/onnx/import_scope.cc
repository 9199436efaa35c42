#include "onnx/import_scope.h"

#include <algorithm>
#include <queue>
#include <unordered_set>

#include "onnx/check_schema.h"
#include "onnx/import_types.h"

namespace sdx::onnx {
namespace {

constexpr int kMaxCallDepth = 64;

// Every name that a node's subgraphs may take from outside.
void collect_names(const GraphProto& graph, std::vector<std::string_view>& names, int depth) {
  if (depth > 100) return;
  for (const NodeProto& node : graph.node) {
    names.insert(names.end(), node.input.begin(), node.input.end());
    for (const AttributeProto& attribute : node.attribute) {
      if (attribute.g) collect_names(*attribute.g, names, depth + 1);
      for (const GraphProto& inner : attribute.graphs) collect_names(inner, names, depth + 1);
    }
  }
  for (const ValueInfoProto& output : graph.output) names.push_back(output.name);
}

std::string node_text(const NodeProto& node) {
  if (node.name.empty()) return formatted("{} -> {}", node.op_type, node.output.empty() ? Text() : node.output[0]);
  return formatted("{} ({})", node.name, node.op_type);
}

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

std::string function_key(std::string_view domain, std::string_view name, std::string_view overload) {
  return canonical_domain(domain) + ":" + std::string(name) + ":" + std::string(overload);
}

}  // namespace

std::optional<ValueId> Scope::resolve(const std::string& name) {
  if (const auto found = names_.find(name); found != names_.end()) return found->second;
  if (outer_ == nullptr) return std::nullopt;
  const auto outside = outer_->resolve(name);
  if (!outside) return std::nullopt;
  const ValueInfo& value = outer_->graph_.value(*outside);
  const ValueId inner = graph_.add_capture(*outside, name, value.fact);
  names_.emplace(name, inner);
  return inner;
}

Status Scope::define(const std::string& name, ValueId id) {
  if (!names_.emplace(name, id).second) return invalid_graph("the name \"{}\" is defined twice", name);
  return {};
}

Status Scope::import_graph(const GraphProto& proto) {
  graph_.name = proto.name;
  note_declared(proto);
  SDX_TRY(add_inputs(proto));
  SDX_TRY(add_initializers(proto));
  SDX_TRY(import_nodes(proto.node));
  return add_outputs(proto);
}

Status Scope::import_body(const Call& call, const std::map<std::string, ValueId>& inputs,
                          const std::map<std::string, ValueId>& outputs) {
  call_ = call;
  for (const auto& [name, id] : inputs) SDX_TRY(define(name, id));
  SDX_TRY(import_nodes(call.function->node));
  for (const auto& [name, id] : outputs) {
    const auto made = resolve(name);
    if (!made) return invalid_graph("function {} does not define its output \"{}\"", call.function->name, name);
    Node copy;
    copy.op = "Identity";
    copy.opset = kNewestOpset;
    copy.name = call.prefix;
    copy.origins = call.caller->origins;
    copy.group = call.group;
    copy.inputs = {*made};
    copy.outputs = {id};
    SDX_TRY(add_inferred(std::move(copy)));
  }
  return {};
}

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

// Nodes in an order that defines every name before it is used; the model's own where it is one.
Result<std::vector<size_t>> Scope::sorted(const std::vector<NodeProto>& nodes) const {
  std::unordered_map<std::string_view, size_t> producer;
  for (size_t i = 0; i < nodes.size(); ++i)
    for (const Text name : nodes[i].output)
      if (!name.empty() && !producer.emplace(name, i).second)
        return invalid_graph("the value \"{}\" is produced by {} and by {}", name, node_text(nodes[producer[name]]),
                             node_text(nodes[i]));
  std::vector<std::vector<size_t>> users(nodes.size());
  std::vector<size_t> missing(nodes.size(), 0);
  for (size_t i = 0; i < nodes.size(); ++i) {
    std::vector<std::string_view> names(nodes[i].input.begin(), nodes[i].input.end());
    for (const AttributeProto& attribute : nodes[i].attribute) {
      if (attribute.g) collect_names(*attribute.g, names, 0);
      for (const GraphProto& inner : attribute.graphs) collect_names(inner, names, 0);
    }
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const std::string_view name : names) {
      const auto found = producer.find(name);
      if (found == producer.end()) continue;
      // A subgraph may define a name of its own that an outer node also has; only inputs make a node depend on itself.
      if (found->second == i && std::ranges::find(nodes[i].input, name) == nodes[i].input.end()) continue;
      users[found->second].push_back(i);
      ++missing[i];
    }
  }
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (missing[i] == 0) ready.push(i);
  std::vector<size_t> order;
  while (!ready.empty()) {
    const size_t i = ready.top();
    ready.pop();
    order.push_back(i);
    for (const size_t user : users[i])
      if (--missing[user] == 0) ready.push(user);
  }
  if (order.size() == nodes.size()) return order;
  std::vector<std::string> names;
  for (size_t i = 0; i < nodes.size() && names.size() < 8; ++i)
    if (missing[i] > 0) names.push_back(node_text(nodes[i]));
  return invalid_graph("the graph has a cycle through or before: {}",
                       join(names, ", ", [](const std::string& n) { return n; }));
}

Status Scope::import_nodes(const std::vector<NodeProto>& nodes) {
  SDX_ASSIGN(const std::vector<size_t> order, sorted(nodes));
  for (const size_t i : order) SDX_TRY(import_node(nodes[i]));
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

Result<ValueId> Scope::output_value(Text name) {
  if (name.empty()) return kNoValue;
  const ValueId id =
      graph_.add_value(call_.prefix.empty() ? std::string(name) : call_.prefix + "/" + std::string(name));
  SDX_TRY(define(std::string(name), id));
  if (const auto info = declared_.find(std::string(name)); info != declared_.end()) {
    SDX_ASSIGN(Fact declared, fact_from_type(info->second->type.get(), graph_.symbols()));
    graph_.value(id).declared = std::move(declared);
  }
  return id;
}

Status Scope::import_node(const NodeProto& proto) {
  if (++state_.nodes > state_.options.max_nodes)
    return invalid_graph("the model has more than {} nodes once its functions are inlined", state_.options.max_nodes);
  Node node;
  node.domain = canonical_domain(proto.domain);
  node.op = proto.op_type;
  node.name = call_.prefix.empty() ? std::string(proto.name)
                                   : call_.prefix + "/" + std::string(proto.name.empty() ? proto.op_type : proto.name);
  node.origins = call_.caller != nullptr ? call_.caller->origins
                                         : std::vector<std::string>{proto.name.empty() && !proto.output.empty()
                                                                        ? std::string(proto.output[0])
                                                                        : std::string(proto.name)};
  for (const auto& entry : proto.metadata_props) node.metadata.emplace_back(entry.key, entry.value);
  const std::string label = node.label();
  const auto fail = [&](Status status) { return std::move(status).with_prefix(label + ": "); };

  for (const Text name : proto.input) {
    if (name.empty()) {
      node.inputs.push_back(kNoValue);
      continue;
    }
    const auto id = resolve(std::string(name));
    if (!id)
      return fail(
          invalid_argument("input \"{}\" is not a graph input, an initializer or the output of another node", name));
    node.inputs.push_back(*id);
  }
  const auto function = state_.functions.find(function_key(proto.domain, proto.op_type, proto.overload));
  const auto opset = opsets_.find(node.domain);
  if (function == state_.functions.end()) {
    if (opset == opsets_.end() && is_standard_domain(node.domain))
      return fail(
          invalid_graph("the model imports no opset of domain \"{}\"", node.domain.empty() ? "ai.onnx" : node.domain));
    node.opset = opset == opsets_.end() ? 1 : static_cast<int>(opset->second);
  }
  node.group = state_.forms.add({&proto, node.opset, call_.group, 0, nullptr});
  for (const AttributeProto& attribute : proto.attribute) {
    if (node.attributes.has(attribute.name))
      return fail(invalid_graph("attribute \"{}\" is given twice", attribute.name));
    auto converted = convert_attribute(attribute, node);
    if (!converted.ok()) return fail(std::move(converted).status());
    if (converted->name.empty()) continue;  // refers to an attribute that the caller of the function left out
    node.attributes.list().push_back(std::move(converted).value());
  }
  for (const Text name : proto.output) {
    auto id = output_value(name);
    if (!id.ok()) return fail(std::move(id).status());
    node.outputs.push_back(*id);
  }
  if (function != state_.functions.end()) return inline_call(*function->second, std::move(node));

  const ops::OpFacts* facts = facts_at_or_after(node);
  if (facts == nullptr && is_standard_domain(node.domain) && ops::find_op(node.domain, node.op) == nullptr)
    return fail(invalid_graph("{} is no operator of {} {}", node.op, node.domain.empty() ? "ai.onnx" : node.domain,
                              node.opset));
  if (facts != nullptr && facts->deprecated)
    state_.warnings.push_back(formatted("{}: {} is deprecated since opset {}, the model imports {}", label, node.op,
                                        facts->since, node.opset));
  if (facts != nullptr)
    if (auto status = check_schema(graph_, node, *facts); !status.ok()) return fail(std::move(status));
  give_values_to_required_outputs(node, facts);
  return add_upgraded(std::move(node), facts);
}

// Only optional outputs may be missing for kernels; a model may leave the name of any of them empty.
void Scope::give_values_to_required_outputs(Node& node, const ops::OpFacts* facts) {
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    const bool optional =
        facts == nullptr ? i > 0 : i < facts->outputs.size() && facts->outputs[i].option == ops::FormalOption::optional;
    if (node.outputs[i] == kNoValue && !optional) node.outputs[i] = graph_.add_value("");
  }
}

Result<Attribute> Scope::convert_attribute(const AttributeProto& proto, Node& node) {
  if (proto.ref_attr_name.data() != nullptr && !proto.ref_attr_name.empty()) {
    if (call_.function == nullptr)
      return invalid_graph("attribute \"{}\" refers to \"{}\" outside a function", proto.name, proto.ref_attr_name);
    if (const Attribute* given = call_.caller->attributes.find(proto.ref_attr_name))
      return Attribute{std::string(proto.name), given->content};
    for (const AttributeProto& with_default : call_.function->attribute_proto)
      if (with_default.name == proto.ref_attr_name) {
        SDX_ASSIGN(Attribute made, attribute_from_proto(with_default, state_.model, graph_.symbols()));
        made.name = proto.name;
        return made;
      }
    return Attribute{"", int64_t{0}};
  }
  const AttributeKind type = type_of(proto);
  if (type == AttributeKind::graph || type == AttributeKind::graphs) return convert_subgraphs(proto, node);
  return attribute_from_proto(proto, state_.model, graph_.symbols());
}

Result<Attribute> Scope::convert_subgraphs(const AttributeProto& proto, Node& node) {
  const auto convert = [&](const GraphProto& inner) -> Result<GraphBox> {
    auto graph = std::make_unique<Graph>(graph_.symbols());
    Scope scope(state_, *graph, opsets_, this);
    scope.call_ = call_;
    scope.call_.prefix.clear();
    if (auto status = scope.import_graph(inner); !status.ok())
      return std::move(status).with_context(formatted("in subgraph {} of {}", proto.name, node.label()));
    for (const Capture& capture : graph->captures())
      if (std::ranges::find(node.captures, capture.outer) == node.captures.end())
        node.captures.push_back(capture.outer);
    return GraphBox(std::move(graph));
  };
  if (type_of(proto) == AttributeKind::graph) {
    if (!proto.g) return invalid_graph("attribute \"{}\" is of kind graph but holds none", proto.name);
    SDX_ASSIGN(GraphBox box, convert(*proto.g));
    return Attribute{std::string(proto.name), std::move(box)};
  }
  std::vector<GraphBox> boxes;
  for (const GraphProto& inner : proto.graphs) {
    SDX_ASSIGN(GraphBox box, convert(inner));
    boxes.push_back(std::move(box));
  }
  return Attribute{std::string(proto.name), std::move(boxes)};
}

Status Scope::inline_call(const FunctionProto& function, Node node) {
  if (call_.depth >= kMaxCallDepth)
    return invalid_graph("{}: functions call each other deeper than {}", node.label(), kMaxCallDepth);
  if (!node.captures.empty())
    return invalid_graph("{}: a subgraph as a function's attribute may not use outer values", node.label());
  if (node.inputs.size() > function.input.size() || node.outputs.size() > function.output.size())
    return invalid_graph("{}: {} inputs and {} outputs are given, function {} has {} and {}", node.label(),
                         node.inputs.size(), node.outputs.size(), function.name, function.input.size(),
                         function.output.size());
  Opsets opsets;
  for (const auto& import : function.opset_import) opsets[canonical_domain(import.domain)] = import.version.value_or(1);
  std::map<std::string, ValueId> inputs, outputs;
  for (size_t i = 0; i < function.input.size(); ++i)
    inputs.emplace(std::string(function.input[i]), i < node.inputs.size() ? node.inputs[i] : kNoValue);
  for (size_t i = 0; i < node.outputs.size(); ++i)
    if (node.outputs[i] != kNoValue) outputs.emplace(std::string(function.output[i]), node.outputs[i]);
  const std::string prefix = node.name.empty() ? formatted("{}_{}", node.op, node.group) : node.name;
  const size_t first_node = graph_.node_slots();
  Scope body(state_, graph_, opsets, nullptr);
  if (auto status = body.import_body({&function, &node, prefix, call_.depth + 1, node.group}, inputs, outputs);
      !status.ok())
    return std::move(status).with_context(formatted("in function {} called by {}", function.name, node.label()));
  keep_first_form(node.group, first_node,
                  std::make_unique<GroupWiring>(GroupWiring{std::move(node.inputs), std::move(node.outputs), {}}));
  return {};
}

void Scope::keep_first_form(GroupId group, size_t first_node, std::unique_ptr<GroupWiring> wiring) {
  std::vector<NodeId> nodes;
  for (size_t id = first_node; id < graph_.node_slots(); ++id) nodes.push_back(static_cast<NodeId>(id));
  FirstForm& form = state_.forms.of(group);
  form.fingerprint = wiring == nullptr ? fingerprint(graph_.node(nodes[0])) : fingerprint(graph_, nodes, *wiring);
  form.wiring = std::move(wiring);
}

Status Scope::add_upgraded(Node node, const ops::OpFacts* facts) {
  if (node.op == "Constant" && node.domain.empty() && node.outputs.size() == 1) {
    if (const auto* tensor = node.attributes.get<Tensor>("value")) {
      ValueInfo& value = graph_.value(node.outputs[0]);
      value.fact = Fact::constant_of(*tensor);
      value.is_initializer = true;
      state_.forms.add_constant(value.name, value.fact.constant, {state_.forms.of(node.group).node, nullptr});
      return {};
    }
  }
  const GroupId group = node.group;
  const size_t first_node = graph_.node_slots();
  const ops::OpEntry* entry = ops::find_op(node.domain, node.op);
  auto wiring = std::make_unique<GroupWiring>(GroupWiring{node.inputs, node.outputs, {}});
  const uint64_t as_written = fingerprint(node);
  ops::UpgradeContext ctx(graph_, node);
  const std::string label = node.label();
  for (const ops::Upgrade& upgrade : entry == nullptr ? std::span<const ops::Upgrade>() : entry->contract->upgrades) {
    if (upgrade.apply == nullptr || facts == nullptr || upgrade.from < facts->since) continue;
    const std::string op = node.op;
    if (auto status = upgrade.apply(ctx); !status.ok()) return std::move(status).with_prefix(label + ": ");
    if (node.op != op) break;  // it became another operator, in the newest form
  }
  if (ctx.before().empty() && ctx.after().empty() && node.inputs == wiring->inputs && node.outputs == wiring->outputs &&
      fingerprint(node) == as_written)
    wiring.reset();
  for (Node& before : ctx.before()) SDX_TRY(add_inferred(std::move(before)));
  SDX_TRY(add_inferred(std::move(node)));
  for (Node& after : ctx.after()) SDX_TRY(add_inferred(std::move(after)));
  keep_first_form(group, first_node, std::move(wiring));
  return {};
}

Status Scope::give_types_to_opaque(NodeId id) {
  const Node& node = graph_.node(id);
  if (!state_.options.type_of_output || ops::find_op(node.domain, node.op) != nullptr) return {};
  std::vector<const Fact*> inputs;
  for (const ValueId input : node.inputs) inputs.push_back(input == kNoValue ? nullptr : &graph_.fact(input));
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == kNoValue || graph_.fact(node.outputs[i]).kind != ValueKind::none) continue;
    const DType type = state_.options.type_of_output(node, i, inputs);
    if (type == DType::undefined) continue;
    Fact& fact = graph_.value(node.outputs[i]).fact;
    fact.kind = ValueKind::tensor;
    fact.dtype = type;
  }
  if (!state_.options.infer_opaque) return {};
  std::vector<Fact> outputs;
  for (const ValueId output : node.outputs) outputs.push_back(output == kNoValue ? Fact() : graph_.fact(output));
  SDX_TRY(state_.options.infer_opaque(node, inputs, graph_.symbols(), outputs).with_prefix(node.label() + ": "));
  for (size_t i = 0; i < outputs.size(); ++i)
    if (node.outputs[i] != kNoValue) graph_.value(node.outputs[i]).fact = std::move(outputs[i]);
  return {};
}

Status Scope::add_inferred(Node node) {
  if (ops::find_op(node.domain, node.op) != nullptr && is_standard_domain(node.domain))
    node.opset = newest_opset(node.domain);
  const NodeId id = graph_.add_node(std::move(node));
  SDX_TRY(ops::infer_node(graph_, id, state_.budget));
  SDX_TRY(give_types_to_opaque(id));
  for (const ValueId output : graph_.node(id).outputs)
    if (output != kNoValue && graph_.value(output).declared)
      SDX_TRY(check_declared(graph_.value(output)).with_prefix(graph_.node(id).label() + ": "));
  return {};
}

}  // namespace sdx::onnx
