// Nodes whose results nobody sees, and weights that no node uses any more.
#include <algorithm>

#include "passes/list.h"
#include "passes/patterns.h"

namespace sdx::passes {
namespace {

bool is_seen(const Graph& graph, const Node& node) {
  return std::ranges::any_of(node.outputs, [&](ValueId output) {
    return output != kNoValue && (graph.is_output(output) || !graph.value(output).users.empty());
  });
}

Status run(PassContext& ctx) {
  Graph& graph = ctx.graph();
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (size_t i = order.size(); i-- > 0;) {
    const Node& node = graph.node(order[i]);
    if (!node.alive || is_seen(graph, node)) continue;
    if (!ctx.may_rewrite()) return {};
    ctx.note(node.op, node.origins);
    graph.remove_node(order[i]);
  }
  for (ValueId id = 0; id < graph.value_slots(); ++id) {
    const ValueInfo& value = graph.value(id);
    if (value.is_initializer && !value.is_input && !value.is_output && value.users.empty()) graph.drop_initializer(id);
  }
  return {};
}

}  // namespace

constinit const Pass remove_dead_nodes{"remove_dead_nodes", Level::basic, Exactness::bits,
                                       "removes nodes and weights that nobody uses", run};

}  // namespace sdx::passes
