// Names, the order of nodes, and functions, whose bodies are put where they are called.
#include "onnx/import_scope.h"

#include <algorithm>
#include <queue>

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

}  // namespace sdx::onnx
