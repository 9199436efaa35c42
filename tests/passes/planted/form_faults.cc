// One node of several that move, turn or bend elements.
#include <algorithm>

#include "passes/pattern.h"
#include "tests/passes/planted/fault.h"

namespace sdx::passes::planted {
namespace {

// A transpose moves behind a softmax: whose axis is then another one.
Status pushed_axis_run(PassContext& ctx) {
  return for_each_node(ctx, "Softmax", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& softmax = graph.node(id);
    const Node* turn = made_by(graph, softmax.inputs[0], "Transpose");
    if (turn == nullptr) return;
    Rewrite rewrite(ctx, "Transpose behind Softmax");
    rewrite.take(producer_of(graph, softmax.inputs[0])).take(id);
    const ValueId made = rewrite.add({.op = "Softmax", .inputs = {turn->inputs[0]}, .attributes = softmax.attributes});
    rewrite.become(softmax.outputs[0],
                   rewrite.add({.op = "Transpose", .inputs = {made}, .attributes = turn->attributes}));
    rewrite.apply();
  });
}

// Rotary embedding turns (-x2, x1): whichever half has the sign.
Status rotated_halves_run(PassContext& ctx) {
  return for_each_node(ctx, "Add", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& add = graph.node(id);
    const Node *by_cos = made_by(graph, add.inputs[0], "Mul"), *by_sin = made_by(graph, add.inputs[1], "Mul");
    const Node* turned = by_cos == nullptr || by_sin == nullptr ? nullptr : made_by(graph, by_sin->inputs[0], "Concat");
    const Node* minus = turned == nullptr ? nullptr : made_by(graph, turned->inputs[0], "Neg");
    const Node* parts = minus == nullptr ? nullptr : made_by(graph, minus->inputs[0], "Split");
    if (parts == nullptr || parts->inputs[0] != by_cos->inputs[0]) return;
    Rewrite rewrite(ctx, "rotary embedding");
    for (const ValueId value : {minus->inputs[0], turned->inputs[0], by_sin->inputs[0], add.inputs[0], add.inputs[1]})
      rewrite.take(producer_of(graph, value));
    rewrite.take(id);
    rewrite.become(add.outputs[0], rewrite.add({.op = "RotateHalf",
                                                .domain = kOwn,
                                                .inputs = {by_cos->inputs[0], by_cos->inputs[1], by_sin->inputs[1]}}));
    rewrite.apply();
  });
}

// x clip(x + 3, 0, 6) / 6, whatever the other factor is.
Status hard_swish_of_two_run(PassContext& ctx) {
  const Pattern clip = op("Clip", {op("Add", {any("x"), number(3)}), number(0), number(6)});
  const Pattern pattern = op("Div", {op("Mul", {any("other"), clip}), number(6)});
  return for_each_node(ctx, "Div", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const auto match = find(graph, id, pattern);
    if (!match) return;
    Rewrite rewrite(ctx, "HardSwish");
    for (const NodeId node : match->nodes()) rewrite.take(node);
    rewrite.become(graph.node(id).outputs[0], rewrite.add({.op = "HardSwish", .inputs = {match->value("x")}}));
    rewrite.apply();
  });
}

// The groups of a shuffle are what the transposition brings in front, not what was there.
Status shuffled_groups_run(PassContext& ctx) {
  return for_each_node(ctx, "Transpose", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& turn = graph.node(id);
    const NodeId after = only_user(graph, turn.outputs[0]);
    const Node* before = made_by(graph, turn.inputs[0], "Reshape");
    if (before == nullptr || after == kNoNode || !is_op(graph.node(after), "Reshape")) return;
    const Dim& groups = graph.fact(turn.inputs[0]).dim(2);
    if (!groups.is_known()) return;
    Rewrite rewrite(ctx, "shuffle of channels");
    rewrite.take(producer_of(graph, turn.inputs[0])).take(id).take(after);
    rewrite.become(graph.node(after).outputs[0],
                   rewrite.add({.op = "ShuffleChannels",
                                .domain = kOwn,
                                .inputs = {before->inputs[0]},
                                .attributes = make_attributes({{"groups", groups.known()}})}));
    rewrite.apply();
  });
}

// What only wants a dimension of a transposed tensor looks it up in the tensor: at the axis that was there.
Status shape_before_transpose_run(PassContext& ctx) {
  return for_each_node(ctx, "Gather", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& gather = graph.node(id);
    const Node* shape = made_by(graph, gather.inputs[0], "Shape");
    const Node* turn = shape == nullptr ? nullptr : made_by(graph, shape->inputs[0], "Transpose");
    if (turn == nullptr) return;
    Rewrite rewrite(ctx, "Shape before Transpose");
    rewrite.take(id);
    const ValueId dims = rewrite.add({.op = "Shape", .inputs = {turn->inputs[0]}});
    rewrite.become(gather.outputs[0], rewrite.add({.op = "Gather", .inputs = {dims, gather.inputs[1]}}));
    rewrite.apply();
  });
}

}  // namespace

constinit const Pass pushed_axis =
    fault("planted_pushed_axis", "does not turn the axis along with the elements", pushed_axis_run);
constinit const Pass rotated_halves =
    fault("planted_rotated_halves", "does not look which half is negated", rotated_halves_run);
constinit const Pass hard_swish_of_two =
    fault("planted_hard_swish_of_two", "takes two values for one", hard_swish_of_two_run);
constinit const Pass shuffled_groups =
    fault("planted_shuffled_groups", "takes channels for groups", shuffled_groups_run);
constinit const Pass shape_before_transpose = fault(
    "planted_shape_before_transpose", "looks up the same axis in front of a transpose", shape_before_transpose_run);

}  // namespace sdx::passes::planted
