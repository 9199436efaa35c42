// An If whose condition is a weight becomes the branch that it takes.
#include <algorithm>
#include <map>

#include "ops/graph_inference.h"
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

// Copies the branch's nodes and weights into the graph.
class Inlining {
 public:
  Inlining(Graph& graph, const Graph& branch) : graph_(graph), branch_(branch) {
    for (const Capture& capture : branch.captures()) map_[capture.inner] = capture.outer;
  }

  ValueId outer(ValueId inner) {
    if (inner == kNoValue) return kNoValue;
    const auto [known, fresh] = map_.emplace(inner, kNoValue);
    if (!fresh) return known->second;
    const ValueInfo& value = branch_.value(inner);
    known->second = graph_.add_value(value.name, value.fact);
    ValueInfo& made = graph_.value(known->second);
    made.declared = value.declared;
    made.is_initializer = value.is_initializer;
    made.initial = value.initial;
    return known->second;
  }

  void copy_nodes(const std::vector<NodeId>& order, const std::vector<std::string>& origins) {
    for (const NodeId id : order) {
      Node node = branch_.node(id);
      for (auto* list : {&node.inputs, &node.outputs, &node.captures})
        for (ValueId& value : *list) value = outer(value);
      for_each_subgraph(node, [&](Graph& inner, const std::string&) {
        for (size_t i = 0; i < inner.captures().size(); ++i)
          inner.set_capture_outer(i, outer(inner.captures()[i].outer));
      });
      node.origins.insert(node.origins.end(), origins.begin(), origins.end());
      node.group = 0;
      graph_.add_node(std::move(node));
    }
  }

 private:
  Graph& graph_;
  const Graph& branch_;
  std::map<ValueId, ValueId> map_;
};

// What a value is, without being another's memory: an output of the branch that is its input, a weight, or another
// output needs a node of its own.
bool is_made_once(const Graph& branch, ValueId output, const std::vector<ValueId>& outputs) {
  return branch.value(output).producer != kNoNode && std::ranges::count(outputs, output) == 1;
}

// What the If left open may be known now. A shape rule that fails leaves its nodes as they were: the run says so.
void infer_again(Graph& graph) {
  ops::InferenceBudget budget;
  (void)ops::infer_graph(graph, budget);
}

Status inline_branch(PassContext& ctx, NodeId id, bool condition) {
  Graph& graph = ctx.graph();
  const auto* box = graph.node(id).attributes.get<GraphBox>(condition ? "then_branch" : "else_branch");
  if (box == nullptr) return {};
  const GraphBox kept = *box;  // the node goes
  const Graph& branch = *kept;
  SDX_ASSIGN(const std::vector<NodeId> order, branch.topological_order());
  const std::vector<ValueId> outputs = graph.node(id).outputs;
  const std::vector<std::string> origins = graph.node(id).origins;
  ctx.note(condition ? "If (true)" : "If (false)", origins);
  graph.remove_node(id);
  Inlining inlining(graph, branch);
  inlining.copy_nodes(order, origins);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i] == kNoValue) continue;
    const ValueId made = inlining.outer(branch.outputs()[i]);
    graph.value(outputs[i]).fact = graph.fact(made);
    graph.value(outputs[i]).fact.constant = {};
    if (is_made_once(branch, branch.outputs()[i], branch.outputs())) {
      graph.replace_uses(made, outputs[i]);
      graph.take_production(outputs[i], made);
      continue;
    }
    Node copy;
    copy.op = "Identity";
    copy.opset = ops::find_op("", "Identity")->contract->since;
    copy.inputs = {made};
    copy.outputs = {outputs[i]};
    copy.origins = origins;
    graph.add_node(std::move(copy));
  }
  return {};
}

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  bool changed = false;
  for (const NodeId id : order) {
    const Node& node = ctx.graph().node(id);
    if (!is_op(node, "If")) continue;
    const auto condition = uniform_value(ctx.graph(), node.inputs[0]);
    if (!condition || !ctx.may_rewrite()) continue;
    SDX_TRY(inline_branch(ctx, id, *condition != 0));
    changed = true;
  }
  if (changed) infer_again(ctx.graph());
  return {};
}

}  // namespace

constinit const Pass inline_branches{"inline_branches", Level::basic, Exactness::bits,
                                     "puts the branch that an If certainly takes in its place", run};

}  // namespace sdx::passes
