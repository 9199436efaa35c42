// Channels in another order (BlockedGather) in front of blocked convolutions: a depthwise one has its weights in that
// order instead, and the gather behind it; a 1x1 one takes its input in the order.
#include <algorithm>
#include <cstring>

#include "ops/conv/blocked_conv.h"
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

bool is_permutation(std::span<const int64_t> order) {
  std::vector<int64_t> sorted(order.begin(), order.end());
  std::ranges::sort(sorted);
  for (size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] != static_cast<int64_t>(i)) return false;
  return true;
}

bool runs(const Graph& graph, const Node& node) {
  const ops::OpEntry* entry = ops::find_op(node.domain, node.op);
  if (entry == nullptr || entry->cpu_kernels == nullptr) return false;
  const auto facts = input_facts(graph, node);
  const NodeFacts view(node, facts);
  return std::ranges::any_of(entry->cpu_kernels->kernels(),
                             [&](const Kernel& kernel) { return kernel.can_run(view).accepted(); });
}

// Row order[i] of the result is row i of the weight.
Result<Tensor> put_in_order(const Tensor& weight, std::span<const int64_t> order) {
  SDX_ASSIGN(Tensor made, Tensor::allocate(weight.dtype(), weight.shape()));
  const size_t row = weight.byte_size() / order.size();
  for (size_t i = 0; i < order.size(); ++i)
    std::memcpy(made.bytes() + static_cast<size_t>(order[i]) * row, weight.bytes() + i * row, row);
  return made;
}

class Folding {
 public:
  Folding(PassContext& ctx, NodeId gather, NodeId conv)
      : ctx_(ctx), graph_(ctx.graph()), gather_(gather), conv_(conv), order_() {
    const auto order = graph_.node(gather).attributes.get_ints("order");
    order_.assign(order.begin(), order.end());
  }

  Status run() {
    const Node& conv = graph_.node(conv_);
    const Tensor* w = weight_of(graph_, conv.inputs[1]);
    if (w == nullptr || w->rank() < 3 || ops::has_plain_input(conv.attributes) || conv.attributes.has("input_order"))
      return {};
    const auto channels = static_cast<int64_t>(order_.size());
    if (conv.attributes.get_int("group", 1) == channels && w->dim(0) == channels) return pass_depthwise();
    return take_in();
  }

 private:
  Status pass_depthwise() {
    const Node& conv = graph_.node(conv_);
    const Tensor* w = small_weight_of(graph_, conv.inputs[1]);
    const ValueId bias = input_of(conv, 2);
    const Tensor* b = small_weight_of(graph_, bias);
    if (w == nullptr || bit_width(w->dtype()) % 8 != 0 || (bias != kNoValue && b == nullptr) ||
        input_of(conv, 3) != kNoValue) {
      ctx_.decline(conv_, "channels in another order: the weights cannot be reordered, or a sum is behind");
      return {};
    }
    Rewrite rewrite(ctx_, "order of channels behind a depthwise convolution");
    rewrite.take(gather_).take(conv_);
    SDX_ASSIGN(Tensor weights, put_in_order(*w, order_));
    std::vector<ValueId> inputs = {graph_.node(gather_).inputs[0],
                                   rewrite.constant(graph_.value(conv.inputs[1]).name, std::move(weights))};
    if (b != nullptr) {
      SDX_ASSIGN(Tensor shifts, put_in_order(*b, order_));
      inputs.push_back(rewrite.constant(graph_.value(bias).name, std::move(shifts)));
    }
    const ValueId made = rewrite.add({.op = conv.op, .domain = kOwn, .inputs = inputs, .attributes = conv.attributes});
    rewrite.become(
        conv.outputs[0],
        rewrite.add(
            {.op = "BlockedGather", .domain = kOwn, .inputs = {made}, .attributes = graph_.node(gather_).attributes}));
    rewrite.apply();
    return {};
  }

  Status take_in() {
    Node made = graph_.node(conv_);
    made.attributes.set("input_order", order_);
    made.inputs[0] = graph_.node(gather_).inputs[0];
    if (!runs(graph_, made)) {
      ctx_.decline(conv_, "channels in another order: no kernel takes them so");
      return {};
    }
    Rewrite rewrite(ctx_, "convolution of channels in another order");
    rewrite.take(gather_).take(conv_);
    rewrite.become(made.outputs[0],
                   rewrite.add({.op = made.op, .domain = kOwn, .inputs = made.inputs, .attributes = made.attributes}));
    rewrite.apply();
    return {};
  }

  PassContext& ctx_;
  const Graph& graph_;
  NodeId gather_, conv_;
  std::vector<int64_t> order_;
};

Status run(PassContext& ctx) {
  const Graph& graph = ctx.graph();
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order) {
    const Node& node = graph.node(id);
    if (!node.alive || !is_op(node, "BlockedGather", kOwn) || node.inputs.size() != 1) continue;
    const NodeId user = only_user(graph, node.outputs[0]);
    if (user == kNoNode || !is_op(graph.node(user), "BlockedConv", kOwn)) continue;
    if (graph.node(user).inputs[0] != node.outputs[0]) continue;
    const auto list = node.attributes.get_ints("order");
    const auto channels = node.attributes.get_ints("channels");
    if (static_cast<int64_t>(list.size()) != channels[0] || !is_permutation(list)) continue;
    SDX_TRY(Folding(ctx, id, user).run());
  }
  return {};
}

}  // namespace

constinit const Pass fold_orders{"fold_orders", Level::layout, Exactness::rounding,
                                 "lets blocked convolutions take their channels in another order", run};

}  // namespace sdx::passes
