// Other operators between DequantizeLinear and QuantizeLinear: sums, products, pools and concatenations become their
// com.microsoft forms over codes, in which a code differs by one at most; what only moves elements, or picks the
// largest, works on the codes as they are where both sides have the same scale and zero point.
#include <algorithm>

#include "passes/list.h"
#include "passes/quantized.h"

namespace sdx::passes {
namespace {

class Fusing {
 public:
  explicit Fusing(PassContext& ctx) : ctx_(ctx), graph_(ctx.graph()) {}

  // y = quantize(dequantize(codes))
  void pair(NodeId id) {
    const Node& node = graph_.node(id);
    const auto x = codes_behind(graph_, node.inputs[0]);
    if (!x) return;
    Codes y{.node = id,
            .codes = node.outputs[0],
            .scale = node.inputs[1],
            .zero = input_of(node, 2),
            .type = graph_.fact(node.outputs[0]).dtype,
            .for_tensor = x->for_tensor};
    if (!is_byte(y.type) || !same_codes(graph_, *x, y) || !is_sound_scale(x->scale)) return;
    Rewrite rewrite(ctx_, "DequantizeLinear + QuantizeLinear");
    take_if_alone(rewrite, graph_, *x);
    rewrite.take(id);
    rewrite.forward(y.codes, x->codes);
    rewrite.apply();
  }

  void binary(NodeId id, std::string_view made) {
    const Node& node = graph_.node(id);
    const auto a = codes_behind(graph_, node.inputs[0]), b = codes_behind(graph_, node.inputs[1]);
    const auto y = codes_after(graph_, node.outputs[0]);
    if (!a || !b || !y) return;
    if (a->type != y->type || b->type != y->type || !a->for_tensor || !b->for_tensor)
      return ctx_.decline(id, formatted("{}: types differ, or there is more than one scale", made));
    Rewrite rewrite(ctx_, formatted("{} between quantizations", node.op));
    rewrite.take(id).take(y->node);
    for (const Codes* codes : {&*a, &*b}) take_if_alone(rewrite, graph_, *codes);
    rewrite.become(y->codes, rewrite.add({.op = made,
                                          .domain = kContrib,
                                          .inputs = {a->codes, a->scale, zero_of(rewrite, *a), b->codes, b->scale,
                                                     zero_of(rewrite, *b), y->scale, zero_of(rewrite, *y)}}));
    rewrite.apply();
  }

  void unary(NodeId id, std::string_view made) {
    const Node& node = graph_.node(id);
    const auto x = codes_behind(graph_, node.inputs[0]);
    const auto y = codes_after(graph_, node.outputs[0]);
    if (!x || !y) return;
    if (x->type != y->type || !x->for_tensor)
      return ctx_.decline(id, formatted("{}: types differ, or there is more than one scale", made));
    Rewrite rewrite(ctx_, formatted("{} between quantizations", node.op));
    rewrite.take(id).take(y->node);
    take_if_alone(rewrite, graph_, *x);
    rewrite.become(y->codes,
                   rewrite.add({.op = made,
                                .domain = kContrib,
                                .inputs = {x->codes, x->scale, zero_of(rewrite, *x), y->scale, zero_of(rewrite, *y)},
                                .attributes = node.attributes}));
    rewrite.apply();
  }

  void concat(NodeId id) {
    const Node& node = graph_.node(id);
    const auto y = codes_after(graph_, node.outputs[0]);
    if (!y) return;
    std::vector<Codes> parts;
    for (const ValueId input : node.inputs) {
      const auto x = codes_behind(graph_, input);
      if (!x) return;
      if (x->type != y->type || !x->for_tensor)
        return ctx_.decline(id, "QLinearConcat: types differ, or there is more than one scale");
      parts.push_back(*x);
    }
    const bool same = std::ranges::all_of(
        parts, [&](const Codes& part) { return same_codes(graph_, part, *y) && is_sound_scale(part.scale); });
    Rewrite rewrite(ctx_, "Concat between quantizations");
    rewrite.take(id).take(y->node);
    NewNode made{.op = same ? "Concat" : "QLinearConcat",
                 .domain = same ? "" : kContrib,
                 .inputs = {},
                 .attributes = node.attributes};
    if (!same) made.inputs = {y->scale, zero_of(rewrite, *y)};
    for (const Codes& part : parts) {
      made.inputs.push_back(part.codes);
      if (!same) made.inputs.insert(made.inputs.end(), {part.scale, zero_of(rewrite, part)});
      take_if_alone(rewrite, graph_, part);
    }
    rewrite.become(y->codes, rewrite.add(made));
    rewrite.apply();
  }

  // The first input alone has codes.
  void mover(NodeId id) {
    const Node& node = graph_.node(id);
    if (uses_other_outputs(graph_, node)) return;
    const auto x = codes_behind(graph_, node.inputs[0]);
    const auto y = codes_after(graph_, node.outputs[0]);
    if (!x || !y) return;
    if (!same_codes(graph_, *x, *y) || !is_sound_scale(x->scale))
      return ctx_.decline(id, formatted("{} of codes: scales or zero points differ", node.op));
    Rewrite rewrite(ctx_, formatted("{} between quantizations", node.op));
    rewrite.take(id).take(y->node);
    take_if_alone(rewrite, graph_, *x);
    std::vector<ValueId> inputs = node.inputs;
    inputs[0] = x->codes;
    rewrite.become(y->codes, rewrite.add({.op = node.op, .inputs = inputs, .attributes = node.attributes}));
    rewrite.apply();
  }

 private:
  // Codes come back from floats as they were.
  bool is_sound_scale(ValueId scale) const {
    const auto number = uniform_value(graph_, scale);
    return number && *number > 1e-30 && *number < 1e30;
  }

  PassContext& ctx_;
  const Graph& graph_;
};

bool is_mover(const Node& node) {
  constexpr std::string_view kNames[] = {"Reshape", "Flatten", "Squeeze",  "Unsqueeze",    "Transpose",
                                         "Slice",   "Gather",  "Identity", "DepthToSpace", "SpaceToDepth",
                                         "Expand",  "Tile",    "MaxPool"};
  return node.alive && node.domain.empty() && std::ranges::find(kNames, node.op) != std::end(kNames);
}

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  Fusing fusing(ctx);
  for (const NodeId id : order) {
    const Node& node = ctx.graph().node(id);
    if (is_op(node, "QuantizeLinear")) fusing.pair(id);
    if (is_op(node, "Add")) fusing.binary(id, "QLinearAdd");
    if (is_op(node, "Mul")) fusing.binary(id, "QLinearMul");
    if (is_op(node, "Sigmoid")) fusing.unary(id, "QLinearSigmoid");
    if (is_op(node, "LeakyRelu")) fusing.unary(id, "QLinearLeakyRelu");
    if (is_op(node, "GlobalAveragePool")) fusing.unary(id, "QLinearGlobalAveragePool");
    if (is_op(node, "AveragePool") && node.attributes.get_int("ceil_mode", 0) == 0 &&
        node.attributes.get_ints("dilations").empty())
      fusing.unary(id, "QLinearAveragePool");
    if (is_op(node, "Concat")) fusing.concat(id);
    if (is_mover(node)) fusing.mover(id);
  }
  return {};
}

}  // namespace

constinit const Pass fuse_quantized_maps{"fuse_quantized_maps", Level::extended, Exactness::codes,
                                         "lets operators between quantizations work on codes", run};

}  // namespace sdx::passes
