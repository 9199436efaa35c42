// Convolutions and products with the activation behind them, and a convolution with the sum in between:
// FusedConv = activation(Conv(x, w, b) + z), FusedGemm = activation(Gemm(a, b, c)).
#include "passes/activation_form.h"
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

// Of a type that the fused kernels take.
bool is_float(const Graph& graph, ValueId value) { return graph.fact(value).dtype == DType::f32; }
bool is_half(const Graph& graph, ValueId value) { return graph.fact(value).dtype == DType::f16; }

class Fusing {
 public:
  explicit Fusing(PassContext& ctx) : ctx_(ctx), graph_(ctx.graph()) {}

  void fuse_conv(NodeId id) {
    const Node& conv = graph_.node(id);
    if (!is_float(graph_, conv.outputs[0]) && !is_half(graph_, conv.outputs[0])) return;
    const Fact& x = graph_.fact(conv.inputs[0]);
    if (!x.has_rank() || x.rank() > 5) return;
    Rewrite rewrite(ctx_, "");
    rewrite.take(id);
    std::string what = "Conv";
    ValueId y = conv.outputs[0];
    std::vector<ValueId> inputs = conv.inputs;
    NodeId user = only_user(graph_, y);
    if (user != kNoNode && is_op(graph_.node(user), "Add") && adds(user, y)) {
      const Node& add = graph_.node(user);
      inputs.resize(3, kNoValue);
      inputs.push_back(add.inputs[add.inputs[0] == y ? 1 : 0]);
      y = add.outputs[0];
      rewrite.take(user);
      what += " + Add";
      user = only_user(graph_, y);
    }
    Attributes attributes = conv.attributes;
    if (user != kNoNode) {
      if (const auto activation = common_activation(graph_, graph_.node(user))) {
        attributes.set("activation", activation->name);
        if (!activation->parameters.empty()) attributes.set("activation_params", activation->parameters);
        what += " + " + activation->name;
        y = graph_.node(user).outputs[0];
        rewrite.take(user);
      }
    }
    if (y == conv.outputs[0]) return;
    rewrite.rename(what);
    rewrite.become(y, rewrite.add({.op = "FusedConv", .domain = kContrib, .inputs = inputs, .attributes = attributes}));
    rewrite.apply();
  }

  void fuse_gemm(NodeId id) {
    const Node& gemm = graph_.node(id);
    if (!is_float(graph_, gemm.outputs[0])) return;
    const NodeId user = only_user(graph_, gemm.outputs[0]);
    if (user == kNoNode) return;
    const auto activation = common_activation(graph_, graph_.node(user));
    if (!activation) return;
    if (activation->name == "Clip") return ctx_.decline(user, "Gemm + Clip: FusedGemm has no Clip in onnxruntime");
    Attributes attributes = gemm.attributes;
    attributes.set("activation", activation->name);
    constexpr std::string_view kNames[] = {"activation_alpha", "activation_beta"};
    for (size_t i = 0; i < activation->parameters.size(); ++i) attributes.set(kNames[i], activation->parameters[i]);
    Rewrite rewrite(ctx_, "Gemm + " + activation->name);
    rewrite.take(id).take(user);
    rewrite.become(
        graph_.node(user).outputs[0],
        rewrite.add({.op = "FusedGemm", .domain = kContrib, .inputs = gemm.inputs, .attributes = attributes}));
    rewrite.apply();
  }

 private:
  // Adds a value of the same shape, which is there before the convolution runs.
  bool adds(NodeId id, ValueId y) {
    const Node& add = graph_.node(id);
    const ValueId other = add.inputs[add.inputs[0] == y ? 1 : 0];
    if (other == y) return false;
    if (!same_type_and_dims(graph_, other, y)) {
      ctx_.decline(id, "Conv + Add: the operands have different shapes");
      return false;
    }
    return true;
  }

  PassContext& ctx_;
  const Graph& graph_;
};

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  Fusing fusing(ctx);
  // From the end: of two convolutions that are added, the later one takes the sum in.
  for (size_t i = order.size(); i-- > 0;) {
    if (is_op(ctx.graph().node(order[i]), "Conv")) fusing.fuse_conv(order[i]);
    if (is_op(ctx.graph().node(order[i]), "Gemm")) fusing.fuse_gemm(order[i]);
  }
  return {};
}

}  // namespace

constinit const Pass fuse_activations{"fuse_activations", Level::extended, Exactness::rounding,
                                      "lets convolutions and products compute the sum and the activation behind them",
                                      run};

}  // namespace sdx::passes
