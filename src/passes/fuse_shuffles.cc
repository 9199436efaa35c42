// Reshape + Transpose + Reshape that deal out the channels of groups: one node, that convolutions may take in.
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

// The groups, where `parts` [N, groups, C, spatial...] has the elements of x [N, groups * C, spatial...].
std::optional<int64_t> groups_of(const Graph& graph, ValueId x, ValueId parts) {
  const Fact &whole = graph.fact(x), &split = graph.fact(parts);
  if (!whole.has_rank() || !split.has_rank() || whole.rank() < 3 || split.rank() != whole.rank() + 1)
    return std::nullopt;
  const auto same = [&](const Dim& a, const Dim& b) { return graph.symbols().equal(a, b) == Truth::yes; };
  if (!same(whole.dim(0), split.dim(0)) || !split.dim(1).is_known() || !split.dim(2).is_known()) return std::nullopt;
  for (int axis = 2; axis < whole.rank(); ++axis)
    if (!same(whole.dim(axis), split.dim(axis + 1))) return std::nullopt;
  const int64_t groups = split.dim(1).known();
  if (groups < 1 || !whole.dim(1).is(groups * split.dim(2).known())) return std::nullopt;
  return groups;
}

void fuse(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node& turn = graph.node(id);
  const NodeId before = producer_of(graph, turn.inputs[0]), after = only_user(graph, turn.outputs[0]);
  if (before == kNoNode || after == kNoNode || !is_reshaping(graph.node(before)) || !is_reshaping(graph.node(after)))
    return;
  const auto perm = turn.attributes.get_ints("perm");
  const ValueId x = graph.node(before).inputs[0], y = graph.node(after).outputs[0];
  if (perm.size() < 4 || perm[0] != 0 || perm[1] != 2 || perm[2] != 1) return;
  for (size_t axis = 3; axis < perm.size(); ++axis)
    if (perm[axis] != static_cast<int64_t>(axis)) return;
  const DType type = graph.fact(x).dtype;
  if (type != DType::f32 && type != DType::f16 && type != DType::bf16) return;
  const auto groups = groups_of(graph, x, turn.inputs[0]);
  if (!groups || !same_type_and_dims(graph, x, y))
    return ctx.decline(id, "nobody can tell that the reshapings part channels and join them again");
  if (only_user(graph, turn.inputs[0]) != id) return ctx.decline(id, "the parted channels are used elsewhere");
  Rewrite rewrite(ctx, "shuffle of channels");
  rewrite.take(before).take(id).take(after);
  rewrite.become(y, rewrite.add({.op = "ShuffleChannels",
                                 .domain = kOwn,
                                 .inputs = {x},
                                 .attributes = make_attributes({{"groups", *groups}})}));
  rewrite.apply();
}

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order)
    if (ctx.graph().node(id).alive && is_op(ctx.graph().node(id), "Transpose")) fuse(ctx, id);
  return {};
}

}  // namespace

constinit const Pass fuse_shuffles{"fuse_shuffles", Level::layout, Exactness::bits,
                                   "makes one node of reshapings and a transposition that shuffle channels", run};

}  // namespace sdx::passes
