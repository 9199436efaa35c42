// Graph: nodes and values by index. Ids are stable: a removed node or value leaves a hole, nothing moves.
// A subgraph is a Graph of its own; a value of the outer graph that it uses is one of its captures.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph/attribute.h"
#include "graph/fact.h"

namespace sdx {

using NodeId = uint32_t;
using ValueId = uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};
inline constexpr ValueId kNoValue = ~ValueId{0};  // an omitted optional input or output

struct ValueInfo {
  std::string name;              // unique in its graph
  Fact fact;                     // inferred: true
  std::optional<Fact> declared;  // what the model says: an assumption
  NodeId producer = kNoNode;     // none: graph input, initializer or capture
  uint32_t output_index = 0;     // at the producer
  bool is_input = false;
  bool is_output = false;       // of the graph, once or more; kept by Graph
  bool is_initializer = false;  // fact.constant holds the weight, unless `initial` does
  Value initial;                // an initializer that is no dense tensor (sparse)
  std::vector<NodeId> users;    // once per use as an input, in order of addition
};

struct Node {
  std::string domain;  // "" is ai.onnx
  std::string op;
  std::string name;             // the model's own, may be empty
  int opset = 0;                // of its domain, at which the node is written
  std::vector<ValueId> inputs;  // kNoValue where an optional one is omitted
  std::vector<ValueId> outputs;
  std::vector<ValueId> captures;  // outer values that its subgraphs use
  Attributes attributes;
  std::vector<std::string> origins;     // the model's nodes this came from
  std::vector<Constraint> constraints;  // what its shape rule could not decide
  uint32_t group = 0;                   // nodes made from one old node share a group; 0: none
  std::string provider;                 // the owner, once partitioned
  std::vector<std::pair<std::string, std::string>> metadata;
  bool alive = true;

  // "conv_12 (Conv)", or "Conv -> y" style when the node has no name; what messages call it.
  std::string label() const;
};

struct Capture {
  ValueId outer;  // in the enclosing graph
  ValueId inner;  // in this graph
};

class Graph {
 public:
  Graph();                                      // a root graph with symbols of its own
  explicit Graph(SymbolTable& shared_symbols);  // a subgraph
  Graph(const Graph& other);                    // a root copies its symbols; a subgraph keeps the shared table
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;
  ~Graph();

  std::string name;

  SymbolTable& symbols() const { return *symbols_; }
  size_t node_slots() const { return nodes_.size(); }
  size_t value_slots() const { return values_.size(); }
  size_t node_count() const;
  Node& node(NodeId id) { return nodes_[id]; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  ValueInfo& value(ValueId id) { return values_[id]; }
  const ValueInfo& value(ValueId id) const { return values_[id]; }
  const Fact& fact(ValueId id) const { return values_[id].fact; }

  const std::vector<ValueId>& inputs() const { return inputs_; }
  const std::vector<ValueId>& outputs() const { return outputs_; }
  const std::vector<Capture>& captures() const { return captures_; }

  // A name that is taken or empty gets a suffix.
  ValueId add_value(std::string_view name, Fact fact = {});
  ValueId add_input(std::string_view name, Fact fact);
  ValueId add_initializer(std::string_view name, Tensor tensor);
  ValueId add_capture(ValueId outer, std::string_view name, Fact fact);
  void set_capture_outer(size_t index, ValueId outer) { captures_[index].outer = outer; }  // moved into another graph
  void mark_input(ValueId id);
  void add_output(ValueId id);
  void set_output(size_t index, ValueId id);
  std::optional<ValueId> find_value(std::string_view name) const;

  // Registers the node as producer of its outputs and user of its inputs.
  NodeId add_node(Node node);
  // The same in the place, and so in the order, of a node that was removed.
  void refill_node(NodeId hole, Node node);
  void remove_node(NodeId id);
  void set_input(NodeId id, size_t index, ValueId value);
  // Every use of `from` by nodes and graph outputs becomes one of `to`.
  void replace_uses(ValueId from, ValueId to);
  bool is_output(ValueId id) const { return values_[id].is_output; }
  // `value`, which nobody produces, takes the place of `from` as an output of from's producer; uses stay as they are.
  void take_production(ValueId value, ValueId from);
  // An initializer that nobody uses any more gives its data back.
  void drop_initializer(ValueId id);

  // Producers before users; ties in order of addition. Fails with the names on a cycle.
  Result<std::vector<NodeId>> topological_order() const;

 private:
  void link(NodeId id);
  void remove_user(ValueId value, NodeId node);

  std::unique_ptr<SymbolTable> own_symbols_;
  SymbolTable* symbols_;
  std::vector<Node> nodes_;
  std::vector<ValueInfo> values_;
  std::vector<ValueId> inputs_, outputs_;
  std::vector<Capture> captures_;
  std::map<std::string, ValueId, std::less<>> by_name_;
};

// Calls f(Graph&) for each subgraph among the node's attributes, with the attribute's name.
template <typename NodeType, typename F>
void for_each_subgraph(NodeType& node, F f) {
  for (auto& attribute : node.attributes.list()) {
    if (auto* one = std::get_if<GraphBox>(&attribute.content)) f(**one, attribute.name);
    if (auto* many = std::get_if<std::vector<GraphBox>>(&attribute.content))
      for (auto& box : *many) f(*box, attribute.name);
  }
}

inline bool has_subgraph(const Node& node) {
  bool found = false;
  for_each_subgraph(node, [&](const Graph&, const std::string&) { found = true; });
  return found;
}

}  // namespace sdx
