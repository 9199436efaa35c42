// A Pad with zeros in front of a convolution becomes part of the convolution's own padding.
#include <algorithm>

#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

// What a Pad adds before and after each of `rank` axes, if it adds zeros; nullopt otherwise.
std::optional<std::vector<int64_t>> zeros_added(const Graph& graph, const Node& pad, int rank) {
  if (pad.attributes.get_string("mode", "constant") != "constant") return std::nullopt;
  const ValueId fill = input_of(pad, 2);
  if (fill != kNoValue && uniform_value(graph, fill) != 0) return std::nullopt;
  const auto pads = ints_of(graph, input_of(pad, 1));
  if (!pads) return std::nullopt;
  std::vector<int64_t> axes;
  if (const ValueId given = input_of(pad, 3); given != kNoValue) {
    const auto list = ints_of(graph, given);
    if (!list) return std::nullopt;
    axes = *list;
  } else {
    for (int axis = 0; axis < rank; ++axis) axes.push_back(axis);
  }
  if (pads->size() != 2 * axes.size()) return std::nullopt;
  std::vector<int64_t> all(2 * static_cast<size_t>(rank), 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
    if (axis < 0 || axis >= rank) return std::nullopt;
    all[static_cast<size_t>(axis)] = (*pads)[i];
    all[static_cast<size_t>(axis + rank)] = (*pads)[i + axes.size()];
  }
  return all;
}

void absorb(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node& conv = graph.node(id);
  const NodeId before = producer_of(graph, conv.inputs[0]);
  const Node* pad = made_by(graph, conv.inputs[0], "Pad");
  if (pad == nullptr) return;
  const Fact& x = graph.fact(pad->inputs[0]);
  if (!x.has_rank() || x.rank() < 3) return;
  const std::string_view automatic = conv.attributes.get_string("auto_pad", "NOTSET");
  if (automatic != "NOTSET" && automatic != "VALID")
    return ctx.decline(id, formatted("Pad + Conv: auto_pad {} depends on the padded size", automatic));
  const auto added = zeros_added(graph, *pad, x.rank());
  if (!added) return ctx.decline(id, "Pad + Conv: what is added is not known, or not zero");
  const auto rank = static_cast<size_t>(x.rank()), axes = rank - 2;
  for (const size_t axis : {size_t{0}, size_t{1}, rank, rank + 1})
    if ((*added)[axis] != 0) return ctx.decline(id, "Pad + Conv: the batch or the channels are padded");
  if (std::ranges::any_of(*added, [](int64_t pads) { return pads < 0; }))
    return ctx.decline(id, "Pad + Conv: something is cut off");
  std::vector<int64_t> pads(2 * axes, 0);
  const auto own = conv.attributes.get_ints("pads");
  for (size_t i = 0; i < axes; ++i) {
    pads[i] = (*added)[i + 2] + (own.size() == pads.size() && automatic == "NOTSET" ? own[i] : 0);
    pads[i + axes] = (*added)[rank + i + 2] + (own.size() == pads.size() && automatic == "NOTSET" ? own[i + axes] : 0);
  }
  Rewrite rewrite(ctx, "Pad + Conv");
  rewrite.take(id);
  if (has_one_use(graph, conv.inputs[0])) rewrite.take(before);
  std::vector<ValueId> inputs = conv.inputs;
  inputs[0] = pad->inputs[0];
  Attributes attributes = conv.attributes;
  attributes.remove("auto_pad");
  attributes.set("pads", pads);
  rewrite.become(conv.outputs[0],
                 rewrite.add({.op = "Conv", .inputs = std::move(inputs), .attributes = std::move(attributes)}));
  rewrite.apply();
}

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order)
    if (is_op(ctx.graph().node(id), "Conv")) absorb(ctx, id);
  return {};
}

}  // namespace

constinit const Pass absorb_pads{"absorb_pads", Level::basic, Exactness::bits,
                                 "lets a convolution add the zeros of a Pad in front of it", run};

}  // namespace sdx::passes
