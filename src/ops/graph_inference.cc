#include "ops/graph_inference.h"

#include "ops/checked_infer.h"

namespace sdx::ops {
namespace {

// Knows no more than both: what an inferred fact may claim where the other came first.
bool knows_the_same(const Fact& a, const Fact& b) {
  return same_type_and_shape(a, b) && a.elements == b.elements && a.constant.raw() == b.constant.raw();
}

void forget_shapes(Fact& fact, SymbolTable& symbols) {
  if (fact.shape)
    for (Dim& dim : *fact.shape) dim = symbols.fresh();
  fact.elements.reset();
}

// Brings captures up to date; true when one of them changed.
bool refresh_captures(const Graph& outer, Graph& inner) {
  bool changed = false;
  for (const Capture& capture : inner.captures()) {
    const Fact& from = outer.fact(capture.outer);
    Fact& to = inner.value(capture.inner).fact;
    if (knows_the_same(from, to)) continue;
    to = from;
    changed = true;
  }
  return changed;
}

Result<std::vector<Fact>> infer_inner(const Graph& outer, Graph& inner, std::span<const Fact> inputs,
                                      InferenceBudget& budget) {
  bool changed = refresh_captures(outer, inner);
  for (size_t i = 0; i < inner.inputs().size() && i < inputs.size(); ++i) {
    Fact& fact = inner.value(inner.inputs()[i]).fact;
    if (knows_the_same(fact, inputs[i])) continue;
    fact = inputs[i];
    changed = true;
  }
  std::vector<Fact> outputs;
  if (changed && budget.node_inferences > 0) SDX_TRY(infer_graph(inner, budget));
  const bool exhausted = changed && budget.node_inferences <= 0;
  for (const ValueId id : inner.outputs()) {
    outputs.push_back(inner.fact(id));
    if (exhausted) forget_shapes(outputs.back(), inner.symbols());
  }
  return outputs;
}

void assume_declared(ValueInfo& value) {
  if (value.fact.kind == ValueKind::none && value.declared) value.fact = *value.declared;
}

}  // namespace

Status infer_node(Graph& graph, NodeId id, InferenceBudget& budget) {
  --budget.node_inferences;
  const Node& node = graph.node(id);
  const OpEntry* entry = find_op(node.domain, node.op);
  if (entry == nullptr) {
    for (const ValueId output : node.outputs)
      if (output != kNoValue) assume_declared(graph.value(output));
    return {};
  }
  std::vector<const Fact*> inputs;
  for (const ValueId input : node.inputs) inputs.push_back(input == kNoValue ? nullptr : &graph.fact(input));
  const SubgraphInference subgraphs = [&](std::string_view attribute,
                                          std::span<const Fact> given) -> Result<std::vector<Fact>> {
    for (auto& candidate : graph.node(id).attributes.list())
      if (candidate.name == attribute)
        if (auto* box = std::get_if<GraphBox>(&candidate.content)) return infer_inner(graph, **box, given, budget);
    return invalid_graph("subgraph {} is missing", attribute);
  };
  std::vector<Constraint> constraints;
  InferContext ctx(node, inputs, graph.symbols(), &subgraphs, &constraints);
  auto inferred = checked_infer(*entry->contract, ctx);
  if (!inferred.ok()) return std::move(inferred).status().with_prefix(node.label() + ": ");
  graph.node(id).constraints = std::move(constraints);
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == kNoValue) continue;
    ValueInfo& value = graph.value(node.outputs[i]);
    value.fact = i < inferred->list.size() ? std::move(inferred->list[i]) : Fact();
    assume_declared(value);
  }
  return {};
}

Status infer_graph(Graph& graph, InferenceBudget& budget) {
  SDX_ASSIGN(const std::vector<NodeId> order, graph.topological_order());
  for (const NodeId id : order) SDX_TRY(infer_node(graph, id, budget));
  return {};
}

}  // namespace sdx::ops
