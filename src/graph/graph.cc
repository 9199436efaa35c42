#include "graph/graph.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace sdx {

std::string Node::label() const {
  const std::string kind = domain.empty() ? op : domain + "." + op;
  if (!name.empty()) return name + " (" + kind + ")";
  if (!origins.empty() && !origins[0].empty()) return origins[0] + " (" + kind + ")";
  return "(" + kind + ")";
}

Graph::Graph() : own_symbols_(std::make_unique<SymbolTable>()), symbols_(own_symbols_.get()) {}
Graph::Graph(SymbolTable& shared_symbols) : symbols_(&shared_symbols) {}
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;
Graph::~Graph() = default;

Graph::Graph(const Graph& other)
    : name(other.name),
      own_symbols_(other.own_symbols_ ? std::make_unique<SymbolTable>(*other.own_symbols_) : nullptr),
      symbols_(own_symbols_ ? own_symbols_.get() : other.symbols_),
      nodes_(other.nodes_),
      values_(other.values_),
      inputs_(other.inputs_),
      outputs_(other.outputs_),
      captures_(other.captures_),
      by_name_(other.by_name_) {
  if (!own_symbols_) return;
  const auto adopt = [this](auto& self, Node& node) -> void {
    for_each_subgraph(node, [&](Graph& inner, const std::string&) {
      inner.symbols_ = symbols_;
      for (Node& child : inner.nodes_) self(self, child);
    });
  };
  for (Node& node : nodes_) adopt(adopt, node);
}

size_t Graph::node_count() const {
  return static_cast<size_t>(std::count_if(nodes_.begin(), nodes_.end(), [](const Node& n) { return n.alive; }));
}

std::optional<ValueId> Graph::find_value(std::string_view value_name) const {
  const auto found = by_name_.find(value_name);
  if (found == by_name_.end()) return std::nullopt;
  return found->second;
}

ValueId Graph::add_value(std::string_view value_name, Fact fact) {
  std::string unique(value_name);
  for (size_t suffix = values_.size(); unique.empty() || by_name_.count(unique) > 0; ++suffix)
    unique = formatted("{}#{}", value_name, suffix);
  const auto id = static_cast<ValueId>(values_.size());
  by_name_.emplace(unique, id);
  ValueInfo& value = values_.emplace_back();
  value.name = std::move(unique);
  value.fact = std::move(fact);
  return id;
}

ValueId Graph::add_input(std::string_view value_name, Fact fact) {
  const ValueId id = add_value(value_name, std::move(fact));
  mark_input(id);
  return id;
}

void Graph::mark_input(ValueId id) {
  values_[id].is_input = true;
  inputs_.push_back(id);
}

ValueId Graph::add_initializer(std::string_view value_name, Tensor tensor) {
  const ValueId id = add_value(value_name, Fact::constant_of(std::move(tensor)));
  values_[id].is_initializer = true;
  return id;
}

ValueId Graph::add_capture(ValueId outer, std::string_view value_name, Fact fact) {
  const ValueId inner = add_value(value_name, std::move(fact));
  captures_.push_back({outer, inner});
  return inner;
}

NodeId Graph::add_node(Node node) {
  const auto id = static_cast<NodeId>(nodes_.size());
  nodes_.push_back(std::move(node));
  link(id);
  return id;
}

void Graph::refill_node(NodeId hole, Node node) {
  SDX_CHECK(!nodes_[hole].alive, "a node takes the place of one that is there");
  nodes_[hole] = std::move(node);
  link(hole);
}

// As producer of its outputs and user of its inputs.
void Graph::link(NodeId id) {
  const Node& node = nodes_[id];
  for (const ValueId input : node.inputs)
    if (input != kNoValue) values_[input].users.push_back(id);
  for (const ValueId capture : node.captures) values_[capture].users.push_back(id);
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == kNoValue) continue;
    ValueInfo& value = values_[node.outputs[i]];
    SDX_CHECK(value.producer == kNoNode, "a value has two producers");
    value.producer = id;
    value.output_index = static_cast<uint32_t>(i);
  }
}

void Graph::remove_user(ValueId value, NodeId node) {
  auto& users = values_[value].users;
  const auto found = std::find(users.begin(), users.end(), node);
  if (found != users.end()) users.erase(found);
}

void Graph::remove_node(NodeId id) {
  Node& node = nodes_[id];
  for (const ValueId input : node.inputs)
    if (input != kNoValue) remove_user(input, id);
  for (const ValueId capture : node.captures) remove_user(capture, id);
  for (const ValueId output : node.outputs)
    if (output != kNoValue) values_[output].producer = kNoNode;
  node.inputs.clear();
  node.outputs.clear();
  node.captures.clear();
  node.attributes.list().clear();
  node.alive = false;
}

void Graph::set_input(NodeId id, size_t index, ValueId value) {
  ValueId& slot = nodes_[id].inputs[index];
  if (slot != kNoValue) remove_user(slot, id);
  slot = value;
  if (value != kNoValue) values_[value].users.push_back(id);
}

void Graph::add_output(ValueId id) {
  outputs_.push_back(id);
  values_[id].is_output = true;
}

void Graph::set_output(size_t index, ValueId id) {
  const ValueId before = std::exchange(outputs_[index], id);
  values_[before].is_output = std::ranges::find(outputs_, before) != outputs_.end();
  values_[id].is_output = true;
}

void Graph::take_production(ValueId value, ValueId from) {
  ValueInfo &to = values_[value], &old = values_[from];
  SDX_CHECK(to.producer == kNoNode && old.producer != kNoNode, "a value takes what is made for another");
  nodes_[old.producer].outputs[old.output_index] = value;
  to.producer = std::exchange(old.producer, kNoNode);
  to.output_index = old.output_index;
}

void Graph::drop_initializer(ValueId id) {
  ValueInfo& value = values_[id];
  SDX_CHECK(value.users.empty() && !value.is_input && !value.is_output, "an initializer that is in use is dropped");
  value.fact.constant = {};
  value.initial = {};
  value.is_initializer = false;
}

void Graph::replace_uses(ValueId from, ValueId to) {
  const std::vector<NodeId> users = std::move(values_[from].users);
  values_[from].users.clear();
  for (const NodeId user : users) {
    std::replace(nodes_[user].inputs.begin(), nodes_[user].inputs.end(), from, to);
    std::replace(nodes_[user].captures.begin(), nodes_[user].captures.end(), from, to);
    for_each_subgraph(nodes_[user], [&](Graph& inner, const std::string&) {
      for (Capture& capture : inner.captures_)
        if (capture.outer == from) capture.outer = to;
    });
    values_[to].users.push_back(user);
  }
  std::replace(outputs_.begin(), outputs_.end(), from, to);
  values_[to].is_output |= values_[from].is_output;
  values_[from].is_output = false;
}

Result<std::vector<NodeId>> Graph::topological_order() const {
  std::vector<uint32_t> missing(nodes_.size(), 0);
  const auto produced = [&](ValueId id) { return id != kNoValue && values_[id].producer != kNoNode; };
  std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    if (!nodes_[id].alive) continue;
    const auto count = [&](const std::vector<ValueId>& ids) {
      return static_cast<uint32_t>(std::count_if(ids.begin(), ids.end(), produced));
    };
    missing[id] = count(nodes_[id].inputs) + count(nodes_[id].captures);
    if (missing[id] == 0) ready.push(id);
  }
  std::vector<NodeId> order;
  order.reserve(nodes_.size());
  while (!ready.empty()) {
    const NodeId id = ready.top();
    ready.pop();
    order.push_back(id);
    for (const ValueId output : nodes_[id].outputs) {
      if (output == kNoValue) continue;
      for (const NodeId user : values_[output].users)
        if (--missing[user] == 0) ready.push(user);
    }
  }
  if (order.size() == node_count()) return order;
  std::vector<std::string> names;
  for (NodeId id = 0; id < nodes_.size() && names.size() < 8; ++id)
    if (nodes_[id].alive && missing[id] > 0) names.push_back(nodes_[id].label());
  return invalid_graph("the graph has a cycle through or before: {}",
                       join(names, ", ", [](const auto& n) { return n; }));
}

}  // namespace sdx
