#include "onnx/export_units.h"

#include <algorithm>
#include <queue>
#include <unordered_set>

namespace sdx::onnx {
namespace {

bool refers_to_attributes(const NodeProto& node) {
  return std::ranges::any_of(node.attribute, [](const AttributeProto& a) { return !a.ref_attr_name.empty(); });
}

class Cutter {
 public:
  Cutter(const Graph& graph, const FirstForms& forms, const std::vector<NodeId>* chosen)
      : graph_(graph), forms_(forms), taken_(graph.node_slots(), chosen != nullptr) {
    if (chosen != nullptr)
      for (const NodeId id : *chosen) taken_[id] = false;
    for (NodeId id = 0; id < graph.node_slots(); ++id)
      if (!graph.node(id).alive) taken_[id] = true;
  }

  std::vector<Unit> cut() {
    std::map<GroupId, std::vector<NodeId>> calls, groups;
    for (NodeId id = 0; id < graph_.node_slots(); ++id) {
      const GroupId group = graph_.node(id).group;
      if (!graph_.node(id).alive || forms_.find(group) == nullptr) continue;
      for (const GroupId call : forms_.calls_around(group)) calls[call].push_back(id);
      (forms_.find(group)->is_call() ? calls : groups)[group].push_back(id);
    }
    for (const auto& [call, nodes] : calls) take(call, nodes);  // a call is numbered before those in its body
    for (const auto& [group, nodes] : groups) take(group, nodes);
    for (NodeId id = 0; id < graph_.node_slots(); ++id) {
      if (taken_[id]) continue;
      const Node& node = graph_.node(id);
      units_.push_back({nullptr, {id}, node.inputs, node.outputs});
    }
    return std::move(units_);
  }

 private:
  void take(GroupId group, const std::vector<NodeId>& nodes) {
    const FirstForm& form = *forms_.find(group);
    if (std::ranges::any_of(nodes, [&](NodeId id) { return taken_[id]; })) return;
    if (form.wiring != nullptr && refers_to_attributes(*form.node)) return;  // its values are with a caller that is gone
    // A subgraph that goes out as it stands in the file names values of the model, not of a body that was inlined.
    if (form.wiring != nullptr && has_subgraphs(*form.node) && form.call != 0) return;
    auto inputs = untouched_inputs(graph_, nodes, form);
    if (!inputs) return;
    for (const NodeId id : nodes) taken_[id] = true;
    const auto& outputs = form.wiring == nullptr ? graph_.node(nodes[0]).outputs : form.wiring->outputs;
    units_.push_back({&form, nodes, std::move(*inputs), outputs});
  }

  const Graph& graph_;
  const FirstForms& forms_;
  std::vector<bool> taken_;
  std::vector<Unit> units_;
};

// Producers first, ties in the order of the graph.
Result<std::vector<Unit>> in_order(const Graph& graph, std::vector<Unit> units) {
  std::ranges::sort(units, {}, [](const Unit& unit) { return unit.nodes[0]; });
  std::vector<size_t> unit_of(graph.node_slots(), units.size());
  for (size_t i = 0; i < units.size(); ++i)
    for (const NodeId id : units[i].nodes) unit_of[id] = i;
  std::vector<std::vector<size_t>> users(units.size());
  std::vector<size_t> missing(units.size(), 0);
  for (size_t i = 0; i < units.size(); ++i) {
    for (const ValueId value : needs_of(graph, units[i])) {
      const NodeId producer = graph.value(value).producer;
      if (producer == kNoNode || unit_of[producer] == units.size()) continue;
      users[unit_of[producer]].push_back(i);
      ++missing[i];
    }
  }
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t i = 0; i < units.size(); ++i)
    if (missing[i] == 0) ready.push(i);
  std::vector<Unit> sorted;
  while (!ready.empty()) {
    const size_t i = ready.top();
    ready.pop();
    for (const size_t user : users[i])
      if (--missing[user] == 0) ready.push(user);
    sorted.push_back(std::move(units[i]));
  }
  if (sorted.size() != units.size()) return invalid_graph("the graph {} has a cycle and cannot be written", graph.name);
  return sorted;
}

}  // namespace

bool has_subgraphs(const NodeProto& node) {
  return std::ranges::any_of(node.attribute, [](const AttributeProto& a) { return a.g || !a.graphs.empty(); });
}

std::vector<ValueId> needs_of(const Graph& graph, const Unit& unit) {
  std::vector<ValueId> needs;
  std::unordered_set<ValueId> seen{kNoValue};
  for (const NodeId id : unit.nodes)
    for (const ValueId output : graph.node(id).outputs) seen.insert(output);
  const auto add = [&](ValueId value) {
    if (seen.insert(value).second) needs.push_back(value);
  };
  for (const ValueId input : unit.inputs) add(input);
  for (const NodeId id : unit.nodes)
    for (const ValueId capture : graph.node(id).captures) add(capture);
  return needs;
}

Result<std::vector<Unit>> units_of(const Graph& graph, const FirstForms& forms, const std::vector<NodeId>* chosen) {
  return in_order(graph, Cutter(graph, forms, chosen).cut());
}

}  // namespace sdx::onnx
