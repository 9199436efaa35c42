// UpgradeContext: rewrites one node, before it enters the graph, from an older opset's form into the next one. Helper
// nodes go before it, or after it between it and its former outputs.
#pragma once

#include "graph/graph.h"

namespace sdx::ops {

class UpgradeContext {
 public:
  UpgradeContext(Graph& graph, Node& node) : graph_(graph), node_(node) {}

  Graph& graph() { return graph_; }
  Node& node() { return node_; }
  Attributes& attributes() { return node_.attributes; }
  bool has_input(size_t i) const { return i < node_.inputs.size() && node_.inputs[i] != kNoValue; }
  bool has_output(size_t i) const { return i < node_.outputs.size() && node_.outputs[i] != kNoValue; }
  ValueId input(size_t i) const { return node_.inputs[i]; }
  const Fact& fact(size_t i) const { return graph_.fact(node_.inputs[i]); }
  void set_input(size_t i, ValueId value);  // grows the list with omitted inputs

  template <typename... Args>
  Status fail(fmt::format_string<Args...> text, Args&&... args) const {
    return Status(Code::invalid_graph, format_args_to_text(text, fmt::make_format_args(args...)));
  }

  // Constants and nodes of the newest opset, in front of the node. Returns the first output.
  ValueId constant(Tensor tensor);
  ValueId ints(std::span<const int64_t> values) { return constant(vector_i64(values)); }
  ValueId scalar(int64_t value) { return constant(scalar_i64(value)); }
  // A scalar of the given floating or integer type.
  ValueId scalar(DType type, double value);
  ValueId add(std::string_view op, std::vector<ValueId> inputs, std::vector<Attribute> attributes = {},
              std::string_view domain = "");
  std::vector<ValueId> add_many(std::string_view op, std::vector<ValueId> inputs, size_t outputs,
                                std::vector<Attribute> attributes = {}, std::string_view domain = "");

  // Puts a node between the rewritten node's output i and its users: returns the value to use as that node's input.
  // The new node produces the former output.
  ValueId intercept_output(size_t i);
  void add_after(std::string_view op, std::vector<ValueId> inputs, ValueId output,
                 std::vector<Attribute> attributes = {});

  // The node itself becomes another one.
  void become(std::string_view op, std::vector<ValueId> inputs, std::vector<Attribute> attributes = {},
              std::string_view domain = "");
  // The node vanishes: its output i is `value` (through an Identity).
  void become_value(ValueId value) { become("Identity", {value}); }

  // Moves an attribute of ints (or one int) into input i as an int64 tensor; nothing when the attribute is absent.
  void attribute_to_input(std::string_view attribute, size_t i);

  std::vector<Node>& before() { return before_; }
  std::vector<Node>& after() { return after_; }

 private:
  Node make(std::string_view op, std::vector<ValueId> inputs, std::vector<Attribute> attributes,
            std::string_view domain) const;

  Graph& graph_;
  Node& node_;
  std::vector<Node> before_, after_;
};

inline Attribute attr(std::string_view name, int64_t value) { return {std::string(name), value}; }
inline Attribute attr(std::string_view name, int value) { return {std::string(name), static_cast<int64_t>(value)}; }
inline Attribute attr(std::string_view name, float value) { return {std::string(name), value}; }
inline Attribute attr(std::string_view name, std::string value) { return {std::string(name), std::move(value)}; }
inline Attribute attr(std::string_view name, const char* value) { return {std::string(name), std::string(value)}; }
inline Attribute attr(std::string_view name, std::vector<int64_t> value) {
  return {std::string(name), std::move(value)};
}

// Upgrades that many operators share.
Status drop_consumed_inputs(UpgradeContext& ctx);    // the legacy attribute of opset 1
Status upgrade_axis_broadcast(UpgradeContext& ctx);  // attributes `axis` and `broadcast` of opsets below 7

}  // namespace sdx::ops
