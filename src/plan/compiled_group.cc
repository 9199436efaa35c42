#include "plan/compiled_group.h"

#include <algorithm>
#include <set>

#include "ops/graph_inference.h"

namespace sdx::plan {
namespace {

class Extraction {
 public:
  Extraction(const Graph& graph, const std::vector<NodeId>& nodes, const WeightSource* weights)
      : graph_(graph), nodes_(nodes), weights_(weights) {}

  Result<Extracted> run() {
    made_.name = graph_.name;
    made_.symbols() = graph_.symbols();
    for (const NodeId id : nodes_) {
      chosen_.insert(id);
      for (const ValueId output : graph_.node(id).outputs)
        if (output != kNoValue) inside_.insert(output);
    }
    for (const NodeId id : nodes_) SDX_TRY(add_node(graph_.node(id)));
    for (const NodeId id : nodes_)
      for (const ValueId output : graph_.node(id).outputs)
        if (output != kNoValue && is_seen(output)) {
          made_.add_output(map_.at(output));
          outputs_.push_back(output);
        }
    return Extracted{Graph(made_), std::move(inputs_), std::move(outputs_)};  // a copy: subgraphs get its symbols
  }

 private:
  Result<ValueId> value(ValueId outer) {
    if (outer == kNoValue) return kNoValue;
    const auto known = map_.find(outer);
    if (known != map_.end()) return known->second;
    const ValueInfo& info = graph_.value(outer);
    ValueId made = kNoValue;
    if (inside_.contains(outer)) {
      made = made_.add_value(info.name, info.fact);
    } else if (info.fact.is_constant() && !info.is_input) {
      Tensor weight = info.fact.constant;
      if (weights_ != nullptr) {
        SDX_ASSIGN(weight, weights_->content(weight));
      }
      made = made_.add_initializer(info.name, std::move(weight));
    } else {
      made = made_.add_input(info.name, info.fact);
      inputs_.push_back(outer);
    }
    made_.value(made).declared = info.declared;
    map_.emplace(outer, made);
    return made;
  }

  Status add_node(Node node) {
    for (auto* list : {&node.inputs, &node.captures, &node.outputs})
      for (ValueId& id : *list) {
        SDX_ASSIGN(id, value(id));
      }
    Status status;
    for_each_subgraph(node, [&](Graph& inner, const std::string&) {
      for (size_t i = 0; i < inner.captures().size(); ++i) {
        auto outer = value(inner.captures()[i].outer);
        if (outer.ok()) inner.set_capture_outer(i, outer.value());
        if (!outer.ok()) status = std::move(outer).status();
      }
    });
    node.provider.clear();
    made_.add_node(std::move(node));
    return status;
  }

  bool is_seen(ValueId output) const {
    if (graph_.is_output(output)) return true;
    return std::ranges::any_of(graph_.value(output).users, [&](NodeId user) { return !chosen_.contains(user); });
  }

  const Graph& graph_;
  const std::vector<NodeId>& nodes_;
  const WeightSource* weights_;
  Graph made_;
  std::set<NodeId> chosen_;
  std::set<ValueId> inside_;
  std::map<ValueId, ValueId> map_;
  std::vector<ValueId> inputs_, outputs_;
};

}  // namespace

Result<Extracted> extract(const Graph& graph, const std::vector<NodeId>& nodes, const WeightSource* weights) {
  return Extraction(graph, nodes, weights).run();
}

NodeId replace_by_group(Graph& graph, const std::vector<NodeId>& nodes, const Extracted& extracted,
                        std::string_view provider, size_t index) {
  Node made;
  made.domain = kEngineDomain;
  made.op = kCompiledGroup;
  made.provider = provider;
  made.inputs = extracted.inputs;
  made.outputs = extracted.outputs;
  made.attributes.set("group", static_cast<int64_t>(index));
  std::set<std::string_view> known;
  for (const NodeId id : nodes) {
    const Node& node = graph.node(id);
    for (const std::string& origin : node.origins)
      if (known.insert(origin).second) made.origins.push_back(origin);
    made.constraints.insert(made.constraints.end(), node.constraints.begin(), node.constraints.end());
  }
  made.name = formatted("{} and {} more", graph.node(nodes[0]).label(), nodes.size() - 1);
  if (nodes.size() == 1) made.name = graph.node(nodes[0]).label();
  for (const NodeId id : nodes) graph.remove_node(id);
  graph.refill_node(nodes.back(), std::move(made));
  return nodes.back();
}

size_t group_index(const Node& node) { return static_cast<size_t>(node.attributes.get_int("group", 0)); }

bool is_folded(const Graph& graph, const Node& node) {
  return !node.outputs.empty() && std::ranges::all_of(node.outputs, [&](ValueId output) {
    return output == kNoValue || (graph.fact(output).is_constant() && !graph.value(output).is_input);
  });
}

Result<std::vector<OutputSpec>> infer_group(const Graph& group, std::span<const Fact* const> inputs) {
  Graph copy = group;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i] != nullptr) copy.value(copy.inputs()[i]).fact = *inputs[i];
  ops::InferenceBudget budget;
  SDX_TRY(ops::infer_graph(copy, budget));
  std::vector<OutputSpec> specs;
  for (const ValueId output : copy.outputs()) {
    const Fact& fact = copy.fact(output);
    OutputSpec& spec = specs.emplace_back();
    spec.dtype = fact.dtype;
    const auto shape = fact.is_tensor() && fact.dtype != DType::string ? fact.known_shape() : std::nullopt;
    spec.shape_known = shape.has_value();
    if (shape) spec.shape = *shape;
  }
  return specs;
}

}  // namespace sdx::plan
