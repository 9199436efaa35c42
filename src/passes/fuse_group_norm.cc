// Group normalisation, as exporters spell it out: InstanceNormalization of x with the channels of a group side by side,
// back in its shape, by a factor and plus a shift for each channel. And the activation behind it.
#include <algorithm>

#include "passes/activation_form.h"
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

class Fusing {
 public:
  Fusing(PassContext& ctx, NodeId instance) : ctx_(ctx), graph_(ctx.graph()), instance_(instance) {}

  void run() {
    const Node& instance = graph_.node(instance_);
    const Node* apart = made_by(graph_, instance.inputs[0], "Reshape");
    if (apart == nullptr || uses_other_outputs(graph_, instance)) return;
    x_ = apart->inputs[0];
    const NodeId back = only_user(graph_, instance.outputs[0]);
    if (back == kNoNode || !is_op(graph_.node(back), "Reshape") || !is_group_wise(instance, *apart)) return;
    const ValueId whole = graph_.node(back).outputs[0];
    if (!same_type_and_dims(graph_, whole, x_)) return decline("its shape before and behind may differ");
    if (uniform_value(graph_, instance.inputs[1]) != 1.0 || uniform_value(graph_, instance.inputs[2]) != 0.0)
      return decline("groups have factors and shifts of their own");
    const NodeId mul = only_user(graph_, whole);
    const auto factor = mul == kNoNode ? std::nullopt : each_channel(mul, "Mul", whole);
    if (!factor) return decline("no factor for each channel is behind it");
    const ValueId scaled = graph_.node(mul).outputs[0];
    const NodeId add = only_user(graph_, scaled);
    const auto shift = add == kNoNode ? std::nullopt : each_channel(add, "Add", scaled);
    if (!shift) return decline("no shift for each channel is behind the factor");
    Rewrite rewrite(ctx_, "GroupNormalization");
    const ValueId kept[] = {x_, *factor, *shift};
    for (const NodeId node : with_what_they_alone_need(graph_, {instance_, back, mul, add}, kept)) rewrite.take(node);
    const Attributes attributes =
        make_attributes({{"num_groups", groups_}, {"epsilon", instance.attributes.get_float("epsilon", 1e-5f)}});
    const ValueId inputs[] = {vector(*factor, rewrite), vector(*shift, rewrite)};
    rewrite.become(
        graph_.node(add).outputs[0],
        rewrite.add({.op = "GroupNormalization", .inputs = {x_, inputs[0], inputs[1]}, .attributes = attributes}));
    rewrite.apply();
  }

 private:
  void decline(std::string_view reason) { ctx_.decline(instance_, formatted("GroupNormalization: {}", reason)); }

  // Groups of whole channels, each a channel of the instance normalisation.
  bool is_group_wise(const Node& instance, const Node& apart) {
    const Fact &x = graph_.fact(x_), &grouped = graph_.fact(apart.outputs[0]);
    const Tensor* factors = small_weight_of(graph_, instance.inputs[1]);
    if (!x.has_rank() || x.rank() < 2 || !x.dim(1).is_known() || !is_floating(x.dtype) || factors == nullptr)
      return false;
    if (!grouped.has_rank() || graph_.symbols().equal(grouped.dim(0), x.dim(0)) != Truth::yes) return false;
    groups_ = factors->count();
    return groups_ > 0 && grouped.dim(1).is(groups_) && x.dim(1).known() % groups_ == 0;
  }

  // The operand beside `value` that has a number for each channel.
  std::optional<ValueId> each_channel(NodeId id, std::string_view op, ValueId value) const {
    const Node& node = graph_.node(id);
    if (!is_op(node, op)) return std::nullopt;
    const ValueId other = node.inputs[node.inputs[0] == value ? 1 : 0];
    const Tensor* weight = small_weight_of(graph_, other);
    const Fact& x = graph_.fact(x_);
    if (weight == nullptr || weight->dtype() != x.dtype || weight->rank() < x.rank() - 1 || weight->rank() > x.rank())
      return std::nullopt;
    for (int axis = 0; axis < weight->rank(); ++axis)
      if (weight->dim(axis) != (axis == weight->rank() - x.rank() + 1 ? x.dim(1).known() : 1)) return std::nullopt;
    return other;
  }

  ValueId vector(ValueId weight, Rewrite& rewrite) const {
    const Tensor& numbers = *small_weight_of(graph_, weight);
    if (numbers.rank() == 1) return weight;
    return rewrite.constant(graph_.value(weight).name, numbers.reshaped(Shape({numbers.count()})));
  }

  PassContext& ctx_;
  const Graph& graph_;
  NodeId instance_;
  ValueId x_ = kNoValue;
  int64_t groups_ = 0;
};

Status run_fuse(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order)
    if (ctx.graph().node(id).alive && is_op(ctx.graph().node(id), "InstanceNormalization")) Fusing(ctx, id).run();
  return {};
}

void activate(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node& norm = graph.node(id);
  const NodeId user = only_user(graph, norm.outputs[0]);
  if (user == kNoNode || graph.fact(norm.outputs[0]).dtype != DType::f32) return;
  const auto activation = any_activation(graph, graph.node(user));
  if (!activation) return;
  Attributes attributes = norm.attributes;
  attributes.set("activation", activation->name);
  if (!activation->parameters.empty()) attributes.set("activation_params", activation->parameters);
  Rewrite rewrite(ctx, formatted("GroupNormalization + {}", activation->name));
  rewrite.take(id).take(user);
  rewrite.become(
      graph.node(user).outputs[0],
      rewrite.add(
          {.op = "ActivatedGroupNormalization", .domain = kOwn, .inputs = norm.inputs, .attributes = attributes}));
  rewrite.apply();
}

Status run_activate(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order)
    if (is_op(ctx.graph().node(id), "GroupNormalization")) activate(ctx, id);
  return {};
}

}  // namespace

constinit const Pass fuse_group_norm{"fuse_group_norm", Level::extended, Exactness::rounding,
                                     "makes one node of group normalisation that is spelled out", run_fuse};
constinit const Pass activate_norms{"activate_norms", Level::layout, Exactness::rounding,
                                    "lets group normalisation compute the activation behind it", run_activate};

}  // namespace sdx::passes
