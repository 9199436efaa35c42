#include "passes/patterns.h"

#include <algorithm>

#include "base/element.h"
#include "passes/lazy_weights.h"

namespace sdx::passes {

bool is_op(const Node& node, std::string_view op, std::string_view domain) {
  return node.alive && node.op == op && node.domain == domain && node.provider.empty();
}

bool is_reshaping(const Node& node) {
  return is_op(node, "Reshape") || is_op(node, "Flatten") || is_op(node, "Squeeze") || is_op(node, "Unsqueeze");
}

std::vector<const Fact*> input_facts(const Graph& graph, const Node& node) {
  std::vector<const Fact*> facts;
  for (const ValueId input : node.inputs) facts.push_back(input == kNoValue ? nullptr : &graph.fact(input));
  return facts;
}

NodeId producer_of(const Graph& graph, ValueId value) {
  return value == kNoValue ? kNoNode : graph.value(value).producer;
}

const Node* made_by(const Graph& graph, ValueId value, std::string_view op, std::string_view domain) {
  const NodeId id = producer_of(graph, value);
  return id != kNoNode && is_op(graph.node(id), op, domain) ? &graph.node(id) : nullptr;
}

ValueId input_of(const Node& node, size_t i) { return i < node.inputs.size() ? node.inputs[i] : kNoValue; }

bool has_one_use(const Graph& graph, ValueId value) {
  return !graph.is_output(value) && graph.value(value).users.size() == 1;
}

NodeId only_user(const Graph& graph, ValueId value) {
  if (!has_one_use(graph, value)) return kNoNode;
  const NodeId user = graph.value(value).users[0];
  return std::ranges::find(graph.node(user).inputs, value) != graph.node(user).inputs.end() ? user : kNoNode;
}

std::vector<NodeId> with_what_they_alone_need(const Graph& graph, std::vector<NodeId> nodes,
                                              std::span<const ValueId> kept) {
  const auto goes = [&](NodeId id) { return std::ranges::find(nodes, id) != nodes.end(); };
  const auto is_free = [&](ValueId output) {
    return output == kNoValue || (std::ranges::find(kept, output) == kept.end() && !graph.is_output(output) &&
                                  std::ranges::all_of(graph.value(output).users, goes));
  };
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const ValueId input : graph.node(nodes[i]).inputs) {
      const NodeId id = producer_of(graph, input);
      if (id == kNoNode || goes(id) || has_subgraph(graph.node(id)) || !graph.node(id).provider.empty()) continue;
      if (std::ranges::all_of(graph.node(id).outputs, is_free)) nodes.push_back(id);
    }
  }
  return nodes;
}

bool uses_other_outputs(const Graph& graph, const Node& node) {
  for (size_t i = 1; i < node.outputs.size(); ++i) {
    const ValueId output = node.outputs[i];
    if (output != kNoValue && (graph.is_output(output) || !graph.value(output).users.empty())) return true;
  }
  return false;
}

const Tensor* weight_of(const Graph& graph, ValueId value) {
  if (value == kNoValue || graph.value(value).is_input) return nullptr;
  const Fact& fact = graph.fact(value);
  return fact.is_constant() ? &fact.constant : nullptr;
}

const Tensor* small_weight_of(const Graph& graph, ValueId value) {
  const Tensor* weight = weight_of(graph, value);
  return weight == nullptr || LazyWeights::takes(weight->dtype(), weight->shape()) ? nullptr : weight;
}

std::optional<double> uniform_value(const Graph& graph, ValueId value) {
  const Tensor* weight = small_weight_of(graph, value);
  if (weight == nullptr || weight->count() == 0 || weight->dtype() == DType::string || is_complex(weight->dtype()))
    return std::nullopt;
  const double first = load_double(*weight, 0);
  for (int64_t i = 1; i < weight->count(); ++i)
    if (load_double(*weight, i) != first) return std::nullopt;
  return first;
}

bool fits_attribute(double number, DType type) {
  return type != DType::f64 || static_cast<double>(static_cast<float>(number)) == number;
}

std::optional<std::vector<int64_t>> ints_of(const Graph& graph, ValueId value) {
  const Tensor* weight = small_weight_of(graph, value);
  if (weight == nullptr || !is_integer(weight->dtype()) || weight->rank() > 1) return std::nullopt;
  std::vector<int64_t> elements;
  for (int64_t i = 0; i < weight->count(); ++i) elements.push_back(load_i64(*weight, i));
  return elements;
}

bool same_type(const Graph& graph, ValueId a, ValueId b) {
  const Fact &x = graph.fact(a), &y = graph.fact(b);
  return x.is_tensor() && y.is_tensor() && x.dtype == y.dtype && x.dtype != DType::undefined;
}

bool same_type_and_dims(const Graph& graph, ValueId a, ValueId b) {
  const Fact &x = graph.fact(a), &y = graph.fact(b);
  if (!same_type(graph, a, b) || !x.has_rank() || !y.has_rank() || x.rank() != y.rank()) return false;
  for (int axis = 0; axis < x.rank(); ++axis)
    if (graph.symbols().equal(x.dim(axis), y.dim(axis)) != Truth::yes) return false;
  return true;
}

}  // namespace sdx::passes
