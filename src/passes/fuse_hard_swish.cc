// HardSwish as exporters spell it out: x clip(x + 3, 0, 6) / 6.
#include "passes/list.h"
#include "passes/pattern.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

Pattern hard_swish() {
  const Pattern x = any("x");
  const Pattern clip = op("Clip", {op("Add", {x, number(3)}), number(0), number(6)});
  const Pattern sixth = number(1.0 / 6);
  return either({op("Div", {op("Mul", {x, clip}), number(6)}), op("Mul", {x, op("Div", {clip, number(6)})}),
                 op("Mul", {op("Mul", {x, clip}), sixth}), op("Mul", {x, op("Mul", {clip, sixth})}),
                 op("Mul", {op("Mul", {x, sixth}), clip}), op("Mul", {op("Div", {x, number(6)}), clip})});
}

void fuse(PassContext& ctx, NodeId id, const Pattern& pattern) {
  const Graph& graph = ctx.graph();
  const auto match = find(graph, id, pattern);
  if (!match) return;
  const ValueId x = match->value("x"), y = graph.node(id).outputs[0];
  if (!is_floating(graph.fact(x).dtype) || !same_type_and_dims(graph, x, y)) return;
  Rewrite rewrite(ctx, "HardSwish");
  for (const NodeId node : match->nodes()) rewrite.take(node);
  rewrite.become(y, rewrite.add({.op = "HardSwish", .inputs = {x}}));
  rewrite.apply();
}

Status run(PassContext& ctx) {
  const Pattern pattern = hard_swish();
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (size_t i = order.size(); i-- > 0;) {
    const Node& node = ctx.graph().node(order[i]);
    if (node.alive && (is_op(node, "Div") || is_op(node, "Mul"))) fuse(ctx, order[i], pattern);
  }
  return {};
}

}  // namespace

constinit const Pass fuse_hard_swish{"fuse_hard_swish", Level::extended, Exactness::rounding,
                                     "makes one node of a HardSwish that is spelled out", run};

}  // namespace sdx::passes
