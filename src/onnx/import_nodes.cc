// One node: its attributes, subgraphs and schema, its way to the newest opset, and what is inferred of it.
#include "onnx/import_scope.h"

#include <algorithm>

#include "onnx/check_schema.h"
#include "onnx/import_types.h"

namespace sdx::onnx {
namespace {

std::string function_key(std::string_view domain, std::string_view name, std::string_view overload) {
  return canonical_domain(domain) + ":" + std::string(name) + ":" + std::string(overload);
}

}  // namespace

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
