// Nodes of float16 compute in float32, as the processor does anyway: what passes between them is neither rounded nor
// converted back, nor is what a Cast to float32 wants of it. A Cast to float16 that the model has still rounds. Not
// done where nothing in the graph multiplies matrices: such a graph moves data.
#include <algorithm>
#include <cstring>
#include <set>

#include "passes/element_recipe.h"
#include "passes/half_blocks.h"
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

constexpr std::string_view kProducts[] = {"Conv",        "ConvTranspose", "FusedConv", "FusedGemm",
                                          "FusedMatMul", "Gemm",          "MatMul"};
constexpr std::string_view kOthers[] = {"Add",
                                        "AveragePool",
                                        "BatchNormalization",
                                        "BiasGelu",
                                        "Clip",
                                        "Concat",
                                        "DepthToSpace",
                                        "Div",
                                        "Erf",
                                        "Exp",
                                        "Expand",
                                        "FastGelu",
                                        "Flatten",
                                        "Gelu",
                                        "GlobalAveragePool",
                                        "GlobalMaxPool",
                                        "GroupNormalization",
                                        "HardSigmoid",
                                        "HardSwish",
                                        "InstanceNormalization",
                                        "LayerNormalization",
                                        "LeakyRelu",
                                        "Max",
                                        "MaxPool",
                                        "Min",
                                        "Mul",
                                        "Neg",
                                        "PRelu",
                                        "Pad",
                                        "Pow",
                                        "QuickGelu",
                                        "RMSNormalization",
                                        "ReduceMean",
                                        "Relu",
                                        "Reshape",
                                        "Resize",
                                        "Sigmoid",
                                        "SimplifiedLayerNormalization",
                                        "SkipLayerNormalization",
                                        "SkipSimplifiedLayerNormalization",
                                        "Slice",
                                        "Softmax",
                                        "SpaceToDepth",
                                        "Split",
                                        "Sqrt",
                                        "Squeeze",
                                        "Sub",
                                        "Sum",
                                        "Swish",
                                        "Tanh",
                                        "Transpose",
                                        "Unsqueeze",
                                        "Where"};

bool is_f16(const Graph& graph, ValueId value) { return value != kNoValue && graph.fact(value).dtype == DType::f16; }

template <size_t N>
bool is_one_of(const Node& node, const std::string_view (&names)[N]) {
  return (node.domain.empty() || node.domain == kContrib) && std::ranges::find(names, node.op) != std::end(names);
}

ElementRecipe widening(DType half) {
  const auto part = [half](const std::byte* from, int64_t, int64_t count, std::byte* to) {
    const Tensor row = Tensor::wrap(half, Shape{count}, const_cast<std::byte*>(from), nullptr);
    for_half_blocks(row, std::max<int64_t>(count, 1), [&](int64_t at, std::span<const float> block) {
      std::memcpy(to + at * static_cast<int64_t>(sizeof(float)), block.data(), block.size_bytes());
    });
  };
  return {.from = half, .type = DType::f32, .part = part, .by_first_axis = std::vector<double>()};
}

class Widening {
 public:
  explicit Widening(PassContext& ctx) : ctx_(ctx), graph_(ctx.graph()) {}

  Status run() {
    SDX_ASSIGN(const std::vector<NodeId> order, ctx_.order());
    const auto multiplies = [&](NodeId id) {
      return is_one_of(graph_.node(id), kProducts) && is_f16(graph_, graph_.node(id).outputs[0]);
    };
    if (std::none_of(order.begin(), order.end(), multiplies)) return {};
    for (const NodeId id : order) {
      SDX_TRY(is_widening(graph_.node(id)) ? forward(id) : widen(id));
      if (graph_.node(id).alive && (is_op(graph_.node(id), "IsNaN") || is_op(graph_.node(id), "Shape")))
        look_before(id);
    }
    for (const ValueId value : narrowed_)
      if (!graph_.is_output(value) && graph_.value(value).users.empty()) graph_.remove_node(producer_of(graph_, value));
    return {};
  }

 private:
  bool is_widening(const Node& node) const {
    return is_op(node, "Cast") && is_f16(graph_, node.inputs[0]) && graph_.fact(node.outputs[0]).dtype == DType::f32;
  }

  Status forward(NodeId id) {
    const Node& cast = graph_.node(id);
    if (!narrowed_.contains(cast.inputs[0])) return {};
    Rewrite rewrite(ctx_, "Cast of what is float32");
    const ValueId y = cast.outputs[0], existing = before_rounding(cast.inputs[0]);
    rewrite.take(id).forward(y, existing);
    rewrite.apply();
    return {};
  }

  // Rounding changes neither a shape nor what is no number.
  void look_before(NodeId id) {
    const Node& node = graph_.node(id);
    if (!narrowed_.contains(node.inputs[0])) return;
    Rewrite rewrite(ctx_, formatted("{} of what is float32", node.op));
    const ValueId y = node.outputs[0], x = before_rounding(node.inputs[0]);
    rewrite.take(id).become(y, rewrite.add({.op = node.op, .inputs = {x}, .attributes = node.attributes}));
    rewrite.apply();
  }

  // What a value of float16 was before it was rounded.
  ValueId before_rounding(ValueId narrowed) const { return graph_.node(producer_of(graph_, narrowed)).inputs[0]; }

  Status widen(NodeId id) {
    const Node& node = graph_.node(id);
    if (!is_one_of(node, kProducts) && !is_one_of(node, kOthers)) return {};
    if (!is_f16(graph_, node.outputs[0])) return {};
    Rewrite rewrite(ctx_, formatted("{} in float32", node.op));
    rewrite.take(id);
    std::vector<ValueId> inputs = node.inputs;
    for (ValueId& input : inputs) {
      if (!is_f16(graph_, input)) continue;
      SDX_ASSIGN(input, wide(input, rewrite));
    }
    const std::vector<ValueId> outputs = node.outputs;
    const ValueId made = rewrite.add({.op = node.op,
                                      .domain = node.domain,
                                      .inputs = inputs,
                                      .attributes = node.attributes,
                                      .outputs = outputs.size()});
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i] == kNoValue) continue;
      const auto own = static_cast<ValueId>(made + i);
      rewrite.become(outputs[i], is_f16(graph_, outputs[i]) ? cast(own, DType::f16, rewrite) : own);
    }
    if (!rewrite.apply()) return {};
    for (const ValueId output : outputs)
      if (is_f16(graph_, output)) narrowed_.insert(output);
    return {};
  }

  static ValueId cast(ValueId value, DType to, Rewrite& rewrite) {
    return rewrite.add(
        {.op = "Cast", .inputs = {value}, .attributes = make_attributes({{"to", static_cast<int64_t>(to)}})});
  }

  Result<ValueId> wide(ValueId value, Rewrite& rewrite) {
    if (narrowed_.contains(value)) return before_rounding(value);
    const Tensor* weight = weight_of(graph_, value);
    if (weight == nullptr) return cast(value, DType::f32, rewrite);
    SDX_ASSIGN(Tensor made, wide_weight(*weight));
    return rewrite.constant(graph_.value(value).name, std::move(made));
  }

  // What passes made of it is made of the wide one instead: it is not rounded in between.
  Result<Tensor> wide_weight(const Tensor& weight) {
    if (!LazyWeights::takes(DType::f32, weight.shape())) {
      SDX_ASSIGN(const Tensor content, ctx_.weights().content(weight));
      return widening(content.dtype())({&content, 1});
    }
    auto recipe = std::make_shared<Recipe>();
    const std::shared_ptr<const Recipe> made = ctx_.weights().recipe_of(weight);
    const auto* element = made != nullptr ? made->make.target<ElementRecipe>() : nullptr;
    if (element != nullptr && element->of_floats) {
      SDX_ASSIGN(const Tensor source, wide_weight(made->sources[0].weight));
      recipe->text = made->text;
      recipe->sources = {ctx_.weights().source(source)};
      recipe->make = ElementRecipe{
          .from = DType::f32, .type = DType::f32, .part = element->of_floats, .by_first_axis = element->by_first_axis};
      return ctx_.weights().add(std::move(recipe), DType::f32, weight.shape());
    }
    recipe->text = "in float32";
    recipe->sources = {ctx_.weights().source(weight)};
    recipe->make = widening(weight.dtype());
    return ctx_.weights().add(std::move(recipe), DType::f32, weight.shape());
  }

  PassContext& ctx_;
  Graph& graph_;
  std::set<ValueId> narrowed_;  // values of float16 that a new Cast rounds
};

Status run(PassContext& ctx) { return Widening(ctx).run(); }

}  // namespace

constinit const Pass widen_halves{"widen_halves", Level::layout, Exactness::rounding,
                                  "computes in float32 what is float16, without rounding in between", run};

}  // namespace sdx::passes
