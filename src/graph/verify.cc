#include "graph/verify.h"

#include <algorithm>
#include <map>

namespace sdx {
namespace {

Status verify_value(const Graph& graph, ValueId id) {
  const ValueInfo& value = graph.value(id);
  if (value.name.empty()) return invalid_graph("value {} has no name", id);
  if (graph.find_value(value.name) != id)
    return invalid_graph("the name \"{}\" does not lead to its value", value.name);
  if (value.producer != kNoNode) {
    const bool produced = value.producer < graph.node_slots() && graph.node(value.producer).alive &&
                          value.output_index < graph.node(value.producer).outputs.size() &&
                          graph.node(value.producer).outputs[value.output_index] == id;
    if (!produced) return invalid_graph("value \"{}\" names a producer that does not make it", value.name);
    if (value.is_input)
      return invalid_graph("value \"{}\" is an input and the output of {}", value.name,
                           graph.node(value.producer).label());
  }
  if (value.is_initializer && !value.is_input && !value.fact.is_constant())
    return invalid_graph("initializer \"{}\" has no data", value.name);
  return {};
}

bool available(const Graph& graph, ValueId id) {
  const ValueInfo& value = graph.value(id);
  return value.producer != kNoNode || value.is_input || value.is_initializer ||
         std::ranges::any_of(graph.captures(), [&](const Capture& capture) { return capture.inner == id; });
}

Status verify_node(const Graph& graph, NodeId id, std::map<std::pair<ValueId, NodeId>, int>& uses) {
  const Node& node = graph.node(id);
  for (const auto* list : {&node.inputs, &node.captures}) {
    for (const ValueId input : *list) {
      if (input == kNoValue) continue;
      if (input >= graph.value_slots()) return invalid_graph("{}: an input is no value of the graph", node.label());
      if (!available(graph, input))
        return invalid_graph("{}: nothing makes its input \"{}\"", node.label(), graph.value(input).name);
      ++uses[{input, id}];
    }
  }
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    const ValueId output = node.outputs[i];
    if (output == kNoValue) continue;
    if (output >= graph.value_slots()) return invalid_graph("{}: an output is no value of the graph", node.label());
    if (graph.value(output).producer != id)
      return invalid_graph("{}: its output \"{}\" names another producer", node.label(), graph.value(output).name);
  }
  Status status;
  for_each_subgraph(node, [&](const Graph& inner, const std::string& attribute) {
    for (const Capture& capture : inner.captures())
      if (status.ok() && std::ranges::find(node.captures, capture.outer) == node.captures.end())
        status = invalid_graph("{}: subgraph {} captures a value that the node does not list", node.label(), attribute);
    if (status.ok()) status = verify(inner).with_context(formatted("in subgraph {} of {}", attribute, node.label()));
  });
  return status;
}

}  // namespace

Status verify(const Graph& graph) {
  for (ValueId id = 0; id < graph.value_slots(); ++id) SDX_TRY(verify_value(graph, id));
  std::map<std::pair<ValueId, NodeId>, int> uses;
  for (NodeId id = 0; id < graph.node_slots(); ++id)
    if (graph.node(id).alive) SDX_TRY(verify_node(graph, id, uses));
  for (ValueId id = 0; id < graph.value_slots(); ++id) {
    for (const NodeId user : graph.value(id).users) {
      if (--uses[{id, user}] < 0)
        return invalid_graph("value \"{}\" lists a user that does not use it", graph.value(id).name);
    }
  }
  for (const auto& [use, count] : uses)
    if (count > 0)
      return invalid_graph("value \"{}\" does not list its user {}", graph.value(use.first).name,
                           graph.node(use.second).label());
  for (const ValueId output : graph.outputs())
    if (output >= graph.value_slots() || !available(graph, output))
      return invalid_graph("nothing makes the graph's output");
  return graph.topological_order().ok() ? Status() : graph.topological_order().status();
}

}  // namespace sdx
