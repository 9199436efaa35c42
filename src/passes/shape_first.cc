// A transpose of which only dimensions are wanted is not made: they are those of its operand, in another order.
// Gather(Shape(Transpose(x)), i) = Gather(Shape(x), perm[i]).
#include <algorithm>

#include "base/element.h"
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

bool is_plain_shape(const Node& node) {
  return is_op(node, "Shape") && node.attributes.get_int("start", 0) == 0 && !node.attributes.has("end");
}

// Nobody wants its elements.
bool is_only_measured(const Graph& graph, ValueId value) {
  return !graph.is_output(value) &&
         std::ranges::all_of(graph.value(value).users, [&](NodeId user) { return is_plain_shape(graph.node(user)); });
}

// One that is there already; else kNoNode.
NodeId shape_of(const Graph& graph, ValueId value) {
  for (const NodeId user : graph.value(value).users)
    if (is_plain_shape(graph.node(user))) return user;
  return kNoNode;
}

// perm[i], as the tensor of i has it.
std::optional<Tensor> through(const Graph& graph, ValueId index, std::span<const int64_t> perm) {
  const auto numbers = ints_of(graph, index);
  if (!numbers || perm.empty()) return std::nullopt;
  auto made = Tensor::allocate(DType::i64, weight_of(graph, index)->shape());
  if (!made.ok()) return std::nullopt;
  for (size_t i = 0; i < numbers->size(); ++i) {
    const int64_t at = (*numbers)[i] + ((*numbers)[i] < 0 ? std::ssize(perm) : 0);
    if (at < 0 || at >= std::ssize(perm)) return std::nullopt;
    store_i64(*made, static_cast<int64_t>(i), perm[static_cast<size_t>(at)]);
  }
  return std::move(made).value();
}

void look_up(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node& node = graph.node(id);
  const Node* shape = made_by(graph, node.inputs[0], "Shape");
  if (shape == nullptr || !is_plain_shape(*shape)) return;
  const ValueId turned = shape->inputs[0];
  const Node* transpose = made_by(graph, turned, "Transpose");
  if (transpose == nullptr || !is_only_measured(graph, turned)) return;
  auto axes = through(graph, node.inputs[1], transpose->attributes.get_ints("perm"));
  if (!axes) return;
  Rewrite rewrite(ctx, "Shape before Transpose");
  rewrite.take(id);
  if (has_one_use(graph, node.inputs[0])) {
    rewrite.take(producer_of(graph, node.inputs[0]));
    if (has_one_use(graph, turned)) rewrite.take(producer_of(graph, turned));
  }
  const NodeId known = shape_of(graph, transpose->inputs[0]);
  const ValueId dims =
      known != kNoNode ? graph.node(known).outputs[0] : rewrite.add({.op = "Shape", .inputs = {transpose->inputs[0]}});
  const ValueId axis = rewrite.constant("axis", std::move(*axes));
  rewrite.become(node.outputs[0], rewrite.add({.op = "Gather", .inputs = {dims, axis}}));
  rewrite.apply();
}

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order)
    if (is_op(ctx.graph().node(id), "Gather")) look_up(ctx, id);
  return {};
}

}  // namespace

constinit const Pass shape_first{"shape_first", Level::layout, Exactness::bits,
                                 "looks up dimensions before a transpose that nothing else needs", run};

}  // namespace sdx::passes
