// ScatterElements whose index is one number a row, broadcast to the updates, merges rows: the index is never written
// out.
#include "graph/fact.h"
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

// What the Expand repeats has its elements along `axis` alone, and all of them there.
bool repeats_rows(const Graph& graph, const Fact& from, const Fact& to, int axis) {
  if (!from.has_rank() || !to.has_rank() || from.rank() > to.rank()) return false;
  for (int i = 0; i < to.rank(); ++i) {
    const int own = i - (to.rank() - from.rank());
    if (i == axis && (own < 0 || graph.symbols().equal(from.dim(own), to.dim(i)) != Truth::yes)) return false;
    if (i != axis && own >= 0 && !from.dim(own).is(1)) return false;
  }
  return true;
}

bool same_dims(const Graph& graph, const Fact& a, const Fact& b, int but) {
  if (!a.has_rank() || !b.has_rank() || a.rank() != b.rank()) return false;
  for (int i = 0; i < a.rank(); ++i)
    if (i != but && graph.symbols().equal(a.dim(i), b.dim(i)) != Truth::yes) return false;
  return true;
}

void scatter(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node& node = graph.node(id);
  const NodeId source = producer_of(graph, node.inputs[1]);
  if (source == kNoNode || !is_op(graph.node(source), "Expand")) return;
  const Fact& data = graph.fact(node.inputs[0]);
  if (data.dtype != DType::f32 || !data.has_rank()) return;
  const auto axis = normalize_axis(node.attributes.get_int("axis", 0), data.rank());
  if (!axis) return;
  const ValueId rows = graph.node(source).inputs[0];
  const Fact &index = graph.fact(node.inputs[1]), &updates = graph.fact(node.inputs[2]);
  if (!repeats_rows(graph, graph.fact(rows), index, *axis) || !same_dims(graph, index, updates, -1) ||
      !same_dims(graph, data, updates, *axis))
    return ctx.decline(id, "nobody can tell that the index is one number a row of all updates");
  Rewrite rewrite(ctx, "ScatterElements of rows");
  rewrite.take(id);
  if (only_user(graph, node.inputs[1]) == id) rewrite.take(source);
  rewrite.become(node.outputs[0], rewrite.add({.op = "ScatterRows",
                                               .domain = kOwn,
                                               .inputs = {node.inputs[0], rows, node.inputs[2]},
                                               .attributes = node.attributes}));
  rewrite.apply();
}

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order)
    if (is_op(ctx.graph().node(id), "ScatterElements")) scatter(ctx, id);
  return {};
}

}  // namespace

constinit const Pass scatter_rows{"scatter_rows", Level::layout, Exactness::bits,
                                  "scatters whole rows where the index is the same along them", run};

}  // namespace sdx::passes
