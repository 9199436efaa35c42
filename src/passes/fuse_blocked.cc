// A convolution over blocked channels, or what is left of a normalization, with the residual and the activation behind
// it: what block_layout brought together, and the activations that onnxruntime's FusedConv does not have.
#include <cmath>

#include "passes/activation_form.h"
#include "passes/list.h"
#include "passes/pattern.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

struct Behind {
  ValueId y = kNoValue;  // of the last node that goes
  ActivationForm activation;
  std::vector<NodeId> nodes;
  double scale = 1, shift = 0;  // behind the activation
};

// x times a sigmoid of x: two uses of x, by a Mul and by what makes its other factor.
std::optional<Behind> gate_behind(const Graph& graph, ValueId x) {
  const auto& users = graph.value(x).users;
  if (graph.is_output(x) || users.size() != 2) return std::nullopt;
  for (const size_t i : {size_t{0}, size_t{1}}) {
    const Node &gate = graph.node(users[i]), &product = graph.node(users[1 - i]);
    if (!is_op(product, "Mul") || only_user(graph, gate.outputs[0]) != users[1 - i]) continue;
    Behind found{product.outputs[0], {}, {users[i], users[1 - i]}};
    if (is_op(gate, "Sigmoid")) {
      found.activation = {"Swish", {1.0f}};
      return found;
    }
    const auto near = [](float a, double b) { return std::fabs(a - b) < 1e-6; };
    if (is_op(gate, "HardSigmoid") && near(gate.attributes.get_float("alpha", 0.2f), 1.0 / 6) &&
        near(gate.attributes.get_float("beta", 0.5f), 0.5)) {
      found.activation = {"HardSwish", {}};
      return found;
    }
  }
  return std::nullopt;
}

std::optional<Behind> activation_behind(const Graph& graph, ValueId x) {
  const NodeId user = only_user(graph, x);
  if (user == kNoNode) return gate_behind(graph, x);
  auto activation = any_activation(graph, graph.node(user));
  if (!activation) return std::nullopt;
  return Behind{graph.node(user).outputs[0], *std::move(activation), {user}};
}

// Products by and sums with one number for all.
void add_scales(const Graph& graph, Behind& behind) {
  const auto is_sane = [](double v) { return std::isfinite(v) && std::fabs(v) < 1e20; };
  for (NodeId id = only_user(graph, behind.y); id != kNoNode; id = only_user(graph, behind.y)) {
    const Node& node = graph.node(id);
    const bool adds = is_op(node, "Add");
    if (!adds && !is_op(node, "Mul")) return;
    const auto number = uniform_value(graph, node.inputs[node.inputs[0] == behind.y ? 1 : 0]);
    if (!number || !same_type_and_dims(graph, node.outputs[0], behind.y)) return;
    const double scale = adds ? behind.scale : behind.scale * *number;
    const double shift = adds ? behind.shift + *number : behind.shift * *number;
    if (!is_sane(scale) || !is_sane(shift)) return;
    behind.scale = scale;
    behind.shift = shift;
    behind.nodes.push_back(id);
    behind.y = node.outputs[0];
  }
}

void fuse(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node& conv = graph.node(id);
  if (!conv.attributes.get_string("activation", "").empty()) return;
  Rewrite rewrite(ctx, "");
  rewrite.take(id);
  std::string what = conv.op;
  ValueId y = conv.outputs[0];
  std::vector<ValueId> inputs = conv.inputs;
  Attributes attributes = conv.attributes;
  const NodeId user = only_user(graph, y);
  const auto adds = [](const Node& node) {
    return is_op(node, "Add") || (is_op(node, "Sum") && node.inputs.size() == 2);
  };
  if (user != kNoNode && conv.op == "BlockedConv" && adds(graph.node(user)) && input_of(conv, 3) == kNoValue) {
    const Node& add = graph.node(user);
    const ValueId other = add.inputs[add.inputs[0] == y ? 1 : 0];
    if (same_type_and_dims(graph, other, y)) {
      inputs.resize(3, kNoValue);
      inputs.push_back(other);
      y = add.outputs[0];
      rewrite.take(user);
      what += " + Add";
    }
  }
  // An activation behind what only moves positions may as well come before.
  const NodeId mover = only_user(graph, y);
  const bool moves = mover != kNoNode && is_op(graph.node(mover), "BlockedDepthToSpace", kOwn);
  if (auto behind = activation_behind(graph, moves ? graph.node(mover).outputs[0] : y)) {
    add_scales(graph, *behind);
    attributes.set("activation", behind->activation.name);
    if (!behind->activation.parameters.empty()) attributes.set("activation_params", behind->activation.parameters);
    if (behind->scale != 1) attributes.set("activation_scale", static_cast<float>(behind->scale));
    if (behind->shift != 0) attributes.set("activation_shift", static_cast<float>(behind->shift));
    what += " + " + behind->activation.name;
    for (const NodeId node : behind->nodes) rewrite.take(node);
    y = behind->y;
  }
  if (y == conv.outputs[0]) return;
  rewrite.rename(what);
  ValueId made = rewrite.add({.op = conv.op, .domain = kOwn, .inputs = inputs, .attributes = attributes});
  if (moves && attributes.has("activation")) {
    rewrite.take(mover);
    made = rewrite.add(
        {.op = "BlockedDepthToSpace", .domain = kOwn, .inputs = {made}, .attributes = graph.node(mover).attributes});
  }
  rewrite.become(y, made);
  rewrite.apply();
}

// What the value is joined of along its blocks: itself, or the operands of Concat, those of theirs in turn.
void list_parts(const Graph& graph, ValueId value, std::vector<ValueId>& parts) {
  const Node* concat = made_by(graph, value, "Concat");
  if (concat == nullptr || concat->attributes.get_int("axis", 0) != 1) return parts.push_back(value);
  for (const ValueId part : concat->inputs) list_parts(graph, part, parts);
}

void remove_unused(Graph& graph, ValueId value) {
  const NodeId id = producer_of(graph, value);
  if (id == kNoNode || graph.is_output(value) || !graph.value(value).users.empty()) return;
  if (!is_op(graph.node(id), "Concat")) return;
  const std::vector<ValueId> inputs = graph.node(id).inputs;
  graph.remove_node(id);
  for (const ValueId input : inputs) remove_unused(graph, input);
}

// A BlockedAffine reads the parts of a Concat where they are.
void read_parts(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node affine = graph.node(id);
  std::vector<ValueId> parts;
  list_parts(graph, affine.inputs[0], parts);
  if (parts.size() < 2 || affine.inputs.size() != 3) return;
  std::vector<ValueId> inputs = {parts[0], affine.inputs[1], affine.inputs[2]};
  inputs.insert(inputs.end(), parts.begin() + 1, parts.end());
  Rewrite rewrite(ctx, "Concat + BlockedAffine");
  rewrite.take(id);
  rewrite.become(affine.outputs[0],
                 rewrite.add({.op = affine.op, .domain = kOwn, .inputs = inputs, .attributes = affine.attributes}));
  if (rewrite.apply()) remove_unused(ctx.graph(), affine.inputs[0]);
}

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  // From the end: of two convolutions that are added, the later one takes the sum in.
  for (size_t i = order.size(); i-- > 0;)
    if (const Node& node = ctx.graph().node(order[i]);
        is_op(node, "BlockedConv", kOwn) || is_op(node, "BlockedAffine", kOwn))
      fuse(ctx, order[i]);
  SDX_ASSIGN(const std::vector<NodeId> after, ctx.order());
  for (size_t i = after.size(); i-- > 0;)
    if (const Node& node = ctx.graph().node(after[i]); node.alive && is_op(node, "BlockedAffine", kOwn))
      read_parts(ctx, after[i]);
  return {};
}

}  // namespace

constinit const Pass fuse_blocked{"fuse_blocked", Level::layout, Exactness::rounding,
                                  "lets convolutions over blocked channels compute what is behind them", run};

}  // namespace sdx::passes
