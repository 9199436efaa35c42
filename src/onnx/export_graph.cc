#include "onnx/export_graph.h"

#include <algorithm>

#include "onnx/check_schema.h"
#include "onnx/import_types.h"
#include "onnx/proto_walk.h"

namespace sdx::onnx {
namespace {

const ValueInfoProto* find_info(const std::vector<ValueInfoProto>& list, std::string_view name) {
  const auto found = std::ranges::find(list, name, &ValueInfoProto::name);
  return found == list.end() ? nullptr : &*found;
}

// The node that keeps the name among those that one node of the model became.
bool is_main(const Unit& unit, size_t count, const Node& node) {
  return count == 1 || unit.form == nullptr || node.op == unit.form->node->op_type;
}

// Denotations are said of dimensions by position; they hold for as long as there are as many.
void keep_denotations(const TypeProto& from, TypeProto& to) {
  to.denotation = from.denotation;
  if (!from.tensor_type || !to.tensor_type || !from.tensor_type->shape || !to.tensor_type->shape) return;
  const auto &said = from.tensor_type->shape->dim, &dims = to.tensor_type->shape->dim;
  if (said.size() != dims.size()) return;
  for (size_t i = 0; i < said.size(); ++i) to.tensor_type->shape->dim[i].denotation = said[i].denotation;
}

}  // namespace

GraphWriter::GraphWriter(ExportState& state, const Graph& graph, const Names* outer,
                         const std::vector<std::string>& capture_names)
    : state_(state), graph_(graph), plan_(state.plan.graphs.at(&graph)) {
  name_values(outer, capture_names);
}

void GraphWriter::name_values(const Names* outer, const std::vector<std::string>& capture_names) {
  if (outer != nullptr) taken_ = *outer;
  names_.resize(graph_.value_slots());
  for (size_t i = 0; i < graph_.captures().size(); ++i) names_[graph_.captures()[i].inner] = capture_names[i];
  for (ValueId id = 0; id < graph_.value_slots(); ++id)
    if (names_[id].empty()) names_[id] = fresh(graph_.value(id).name);
}

std::string GraphWriter::fresh(const std::string& wanted) {
  std::string name = wanted;
  for (size_t suffix = 2; !taken_.insert(name).second; ++suffix) name = formatted("{}#{}", wanted, suffix);
  return name;
}

void GraphWriter::find_needs() {
  made_.assign(graph_.value_slots(), false);
  needed_.assign(graph_.value_slots(), false);
  const auto need = [&](ValueId value) {
    if (!needed_[value]) needs_.push_back(value);
    needed_[value] = true;
  };
  for (const Unit& unit : plan_.units) {
    for (const ValueId value : needs_of(graph_, unit)) need(value);
    for (const ValueId output : unit.outputs)
      if (output != kNoValue) made_[output] = true;
  }
}

std::vector<ValueId> GraphWriter::part_inputs() const {
  std::vector<ValueId> inputs;
  for (const ValueId value : needs_)
    if (!made_[value] && (!graph_.value(value).is_initializer || graph_.value(value).is_input)) inputs.push_back(value);
  return inputs;
}

std::vector<ValueId> GraphWriter::part_outputs() const {
  std::vector<bool> inside(graph_.node_slots(), false);
  for (const Unit& unit : plan_.units)
    for (const NodeId id : unit.nodes) inside[id] = true;
  std::vector<ValueId> outputs;
  for (const Unit& unit : plan_.units) {
    for (const ValueId output : unit.outputs) {
      if (output == kNoValue) continue;
      const auto& users = graph_.value(output).users;
      if (graph_.is_output(output) || std::ranges::any_of(users, [&](NodeId user) { return !inside[user]; }))
        outputs.push_back(output);
    }
  }
  if (outputs.empty() && !plan_.units.empty())  // nobody uses it
    for (const ValueId output : plan_.units.back().outputs)
      if (output != kNoValue) outputs.push_back(output);
  return outputs;
}

Status GraphWriter::write_interface(const std::vector<ValueId>& values, const std::vector<ValueInfoProto>* said,
                                    std::vector<ValueInfoProto>& out) {
  for (const ValueId id : values) {
    const ValueInfo& value = graph_.value(id);
    ValueInfoProto info;
    const ValueInfoProto* before = said == nullptr ? nullptr : find_info(*said, value.name);
    if (before != nullptr) {
      info = *before;
      info.type.reset();
    }
    info.name = text(id);
    const bool has_type =
        type_message(interface_fact(value, graph_.symbols()), graph_.symbols(), state_.keeper, info.type.make());
    if (!has_type) info.type.reset();
    if (!has_type && before != nullptr) info.type = before->type;
    if (has_type && before != nullptr && before->type) keep_denotations(*before->type, *info.type);
    out.push_back(std::move(info));
  }
  return {};
}

void GraphWriter::write_value_info(ValueId id) {
  const ValueInfo& value = graph_.value(id);
  const Fact& fact = value.fact.kind == ValueKind::none && value.declared ? *value.declared : value.fact;
  ValueInfoProto info;
  if (!type_message(fact, graph_.symbols(), state_.keeper, info.type.make())) return;
  info.name = text(id);
  if (plan_.source != nullptr)
    if (const ValueInfoProto* before = find_info(plan_.source->value_info, value.name)) {
      info.doc_string = before->doc_string;
      info.metadata_props = before->metadata_props;
      if (before->type) keep_denotations(*before->type, *info.type);
    }
  proto_.value_info.push_back(std::move(info));
}

// Constants that something needs: Constant nodes and sparse initializers as they were, all others as initializers.
void GraphWriter::write_constants() {
  const auto opset = state_.plan.opsets.find("");
  const ops::OpFacts* constant =
      ops::find_facts("", "Constant", opset == state_.plan.opsets.end() ? 1 : static_cast<int>(opset->second));
  for (ValueId id = 0; id < graph_.value_slots(); ++id) {
    const ValueInfo& value = graph_.value(id);
    if (!value.is_initializer || (!needed_[id] && !value.is_input)) continue;
    const Tensor& data = value.is_input && value.initial.is_tensor() ? value.initial.tensor() : value.fact.constant;
    const ConstantForm* form = state_.imported.forms.find_constant(value);
    if (form != nullptr && form->node != nullptr &&
        contains(constant->constraints[static_cast<size_t>(constant->outputs[0].constraint)].tensor_types,
                 data.dtype())) {
      NodeProto& node = proto_.node.emplace_back();
      node = *form->node;
      node.name = node_name(std::string(form->node->name));
      node.output = {text(id)};
      for (AttributeProto& attribute : node.attribute)
        if (attribute.t) *attribute.t = kept_tensor(data, attribute.t->name, state_.keeper);
      state_.domains_used.insert("");
      write_value_info(id);
      continue;
    }
    if (form != nullptr && form->sparse != nullptr && !form->sparse->values->is_external()) {
      SparseTensorProto& sparse = proto_.sparse_initializer.emplace_back(*form->sparse);
      sparse.values->name = text(id);
      continue;
    }
    TensorProto& tensor = proto_.initializer.emplace_back(kept_tensor(data, names_[id], state_.keeper));
    if (plan_.source == nullptr) continue;
    const auto before = std::ranges::find(plan_.source->initializer, value.name, &TensorProto::name);
    if (before == plan_.source->initializer.end()) continue;
    tensor.doc_string = before->doc_string;
    tensor.metadata_props = before->metadata_props;
  }
}

Result<GraphProto> GraphWriter::write(Extent extent) {
  find_needs();
  const bool part = extent == Extent::part;
  const std::vector<ValueId> inputs = part ? part_inputs() : graph_.inputs();
  const std::vector<ValueId> outputs = part ? part_outputs() : graph_.outputs();
  for (const ValueId output : outputs) needed_[output] = true;
  proto_.name = state_.keeper.text(graph_.name.empty() && plan_.source == nullptr ? "graph" : graph_.name);
  if (plan_.source != nullptr) {
    proto_.doc_string = plan_.source->doc_string;
    proto_.metadata_props = plan_.source->metadata_props;
    proto_.unknown = plan_.source->unknown;
    for (const TensorAnnotation& annotation : plan_.source->quantization_annotation)
      if (graph_.find_value(annotation.tensor_name)) proto_.quantization_annotation.push_back(annotation);
  }
  SDX_TRY(write_interface(inputs, plan_.source == nullptr ? nullptr : &plan_.source->input, proto_.input));
  SDX_TRY(write_interface(outputs, plan_.source == nullptr ? nullptr : &plan_.source->output, proto_.output));
  write_constants();
  for (const Unit& unit : plan_.units) {
    SDX_TRY(write_unit(unit).with_prefix(formatted("{}: ", graph_.node(unit.nodes[0]).label())));
    for (const ValueId output : unit.outputs)
      if (output != kNoValue && !names_[output].empty() && std::ranges::find(outputs, output) == outputs.end())
        write_value_info(output);
  }
  return std::move(proto_);
}

Status GraphWriter::write_unit(const Unit& unit) {
  auto spelling = state_.speller.spell(graph_, unit, state_.plan.opsets);
  SDX_CHECK(spelling.has_value(), "a planned unit cannot be said");
  if (spelling->as_first) return write_first(unit);
  return write_nodes(unit, *spelling);
}

Status GraphWriter::write_first(const Unit& unit) {
  const NodeProto& before = *unit.form->node;
  NodeProto node;
  node.op_type = before.op_type;
  node.domain = before.domain;
  node.overload = before.overload;
  node.doc_string = before.doc_string;
  node.metadata_props = before.metadata_props;
  node.device_configurations = before.device_configurations;
  node.unknown = before.unknown;
  node.name = before.name;
  if (unit.form->call != 0) node.name = node_name(graph_.node(unit.nodes[0]).name);
  for (const ValueId input : unit.inputs) node.input.push_back(input == kNoValue ? Text("") : text(input));
  for (size_t i = 0; i < unit.outputs.size(); ++i) {
    const ValueId output = unit.outputs[i];
    const bool unnamed = output == kNoValue ||
                         (before.output[i].empty() && graph_.value(output).users.empty() && !graph_.is_output(output));
    if (unnamed && output != kNoValue) names_[output].clear();
    node.output.push_back(unnamed ? Text("") : text(output));
  }
  for (const AttributeProto& attribute : before.attribute) {
    SDX_ASSIGN(AttributeProto made, first_attribute(attribute, unit));
    if (made.name.data() != nullptr) node.attribute.push_back(std::move(made));
  }
  note_use(node);
  proto_.node.push_back(std::move(node));
  return {};
}

// An attribute without a name: the node's caller left it out.
Result<AttributeProto> GraphWriter::first_attribute(const AttributeProto& attribute, const Unit& unit) {
  const bool has_graphs = attribute.g || !attribute.graphs.empty();
  if (!unit.is_plain() || (!has_graphs && attribute.ref_attr_name.empty())) return attribute;
  const Attribute* now = graph_.node(unit.nodes[0]).attributes.find(attribute.name);
  if (now == nullptr) return AttributeProto();
  SDX_ASSIGN(AttributeProto made, graph_attribute(*now));
  made.doc_string = attribute.doc_string;
  return made;
}

Status GraphWriter::write_nodes(const Unit& unit, const Spelling& spelling) {
  const Graph& from = spelling.scratch != nullptr ? *spelling.scratch : graph_;
  std::map<ValueId, std::string> names;  // of scratch values
  if (spelling.scratch != nullptr) {
    for (size_t i = 0; i < unit.inputs.size(); ++i)
      if (spelling.inputs[i] != kNoValue) names[spelling.inputs[i]] = names_[unit.inputs[i]];
    for (size_t i = 0; i < unit.outputs.size(); ++i)
      if (spelling.outputs[i] != kNoValue) names[spelling.outputs[i]] = names_[unit.outputs[i]];
    for (ValueId id = 0; id < from.value_slots(); ++id) {
      if (names.count(id) > 0) continue;
      names[id] = fresh(from.value(id).name);
      if (from.value(id).is_initializer)
        proto_.initializer.push_back(kept_tensor(from.fact(id).constant, names[id], state_.keeper));
    }
  }
  const auto texts = [&](std::vector<ValueId> values, Texts& out) {
    while (!values.empty() && values.back() == kNoValue) values.pop_back();
    for (const ValueId value : values)
      out.push_back(value == kNoValue             ? Text("")
                    : spelling.scratch != nullptr ? state_.keeper.text(names.at(value))
                                                  : text(value));
  };
  std::vector<const Node*> nodes;
  for_each_written_node(graph_, unit, spelling, [&](const Node& node) { nodes.push_back(&node); });
  for (const Node* made : nodes) {
    NodeProto node;
    node.op_type = state_.keeper.text(made->op);
    node.name = node_name(is_main(unit, nodes.size(), *made) ? made->name : made->name + "/" + made->op);
    if (!made->domain.empty()) node.domain = state_.keeper.text(made->domain);
    if (unit.form != nullptr && nodes.size() == 1) node.doc_string = unit.form->node->doc_string;
    for (const auto& [key, value] : made->metadata) {
      auto& entry = node.metadata_props.emplace_back();
      entry.key = state_.keeper.text(key);
      entry.value = state_.keeper.text(value);
    }
    texts(made->inputs, node.input);
    texts(made->outputs, node.output);
    for (const Attribute& attribute : made->attributes.list()) {
      SDX_ASSIGN(AttributeProto message, graph_attribute(attribute));
      node.attribute.push_back(std::move(message));
    }
    note_use(node);
    proto_.node.push_back(std::move(node));
  }
  return {};
}

Result<AttributeProto> GraphWriter::graph_attribute(const Attribute& attribute) {
  const auto* one = std::get_if<GraphBox>(&attribute.content);
  const auto* many = std::get_if<std::vector<GraphBox>>(&attribute.content);
  if (one == nullptr && many == nullptr) return attribute_message(attribute, graph_.symbols(), state_.keeper);
  AttributeProto proto;
  proto.name = state_.keeper.text(attribute.name);
  proto.type = static_cast<int32_t>(attribute.kind());
  if (one != nullptr) {
    SDX_ASSIGN(proto.g.make(), write_subgraph(**one));
    return proto;
  }
  for (const GraphBox& box : *many) {
    SDX_ASSIGN(GraphProto inner, write_subgraph(*box));
    proto.graphs.push_back(std::move(inner));
  }
  return proto;
}

Result<GraphProto> GraphWriter::write_subgraph(const Graph& inner) {
  std::vector<std::string> captured;
  for (const Capture& capture : inner.captures()) captured.push_back(names_[capture.outer]);
  return GraphWriter(state_, inner, &taken_, captured).write(Extent::whole);
}

// Names of the model's nodes may repeat; those made here do not.
Text GraphWriter::node_name(const std::string& wanted) {
  if (wanted.empty()) return {};
  std::string name = wanted;
  for (size_t suffix = 2;
       !state_.made_node_names.insert(name).second || (suffix > 2 && state_.model_node_names.count(name) > 0); ++suffix)
    name = formatted("{}#{}", wanted, suffix);
  return state_.keeper.text(name);
}

void GraphWriter::note_use(const NodeProto& node) {
  for_each_message<NodeProto>(node, [&](const NodeProto& used) {
    state_.domains_used.insert(canonical_domain(used.domain));
    note_call(used);
  });
}

// The function that the node calls, and those that its body calls.
void GraphWriter::note_call(const NodeProto& node) {
  const std::string domain = canonical_domain(node.domain);
  for (const FunctionProto& function : state_.model.proto.functions) {
    if (function.name != node.op_type || canonical_domain(function.domain) != domain ||
        function.overload != node.overload)
      continue;
    if (std::ranges::find(state_.functions, &function) != state_.functions.end()) return;
    state_.functions.push_back(&function);
    for_each_message<NodeProto>(function, [&](const NodeProto& inner) { note_call(inner); });
  }
}

}  // namespace sdx::onnx
