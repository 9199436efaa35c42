// Blocked convolutions read weights of float16 as they are, where those were only made float32 for them, and scaled by
// channel: kernels widen them when they multiply, and scale the sums.
#include "ops/op.h"
#include "passes/element_recipe.h"
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

// A weight of float32 that is one of float16 times a factor for each entry of its first axis.
struct Halves {
  Tensor weight;
  std::vector<double> factor;  // empty: 1
};

std::optional<Halves> halves_of(const LazyWeights& weights, const Tensor& wide) {
  Halves found;
  Tensor weight = wide;
  while (weight.dtype() == DType::f32) {
    const auto recipe = weights.recipe_of(weight);
    const auto* element = recipe != nullptr ? recipe->make.target<ElementRecipe>() : nullptr;
    if (element == nullptr || !element->by_first_axis) return std::nullopt;
    const std::vector<double>& factor = *element->by_first_axis;
    if (found.factor.empty()) found.factor.assign(factor.size(), 1);
    for (size_t i = 0; i < factor.size(); ++i) found.factor[i] *= factor[i];
    weight = recipe->sources[0].weight;
    if (weight.shape() != wide.shape()) return std::nullopt;
  }
  if (weight.dtype() != DType::f16) return std::nullopt;
  found.weight = std::move(weight);
  return found;
}

bool runs(const Graph& graph, const Node& conv, const Halves& halves, const Tensor& factor) {
  Node made;
  made.op = conv.op;
  made.domain = conv.domain;
  made.inputs = conv.inputs;
  made.inputs.resize(5, kNoValue);
  made.outputs = conv.outputs;
  made.attributes = conv.attributes;
  const Fact weight = Fact::constant_of(halves.weight), by = Fact::constant_of(factor);
  std::vector<const Fact*> facts = input_facts(graph, conv);
  facts.resize(5, nullptr);
  facts[1] = &weight;
  made.inputs[4] = made.inputs[1];
  facts[4] = &by;
  const ops::OpEntry* entry = ops::find_op(kOwn, "BlockedConv");
  if (entry == nullptr || entry->cpu_kernels == nullptr) return false;
  const auto kernels = entry->cpu_kernels->kernels();
  return std::ranges::any_of(kernels, [&](const Kernel& kernel) { return kernel.can_run({made, facts}).accepted(); });
}

Status narrow(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node& conv = graph.node(id);
  const Tensor* wide = weight_of(graph, conv.inputs[1]);
  if (wide == nullptr || graph.fact(conv.inputs[0]).dtype != DType::f32) return {};
  const auto halves = halves_of(ctx.weights(), *wide);
  if (!halves) return {};
  SDX_ASSIGN(Tensor factor, Tensor::allocate(DType::f32, Shape{wide->dim(0)}));
  for (int64_t i = 0; i < factor.count(); ++i)
    factor.data<float>()[i] =
        halves->factor.empty() ? 1.0f : static_cast<float>(halves->factor[static_cast<size_t>(i)]);
  if (!runs(graph, conv, *halves, factor)) {
    ctx.decline(id, "no kernel of BlockedConv takes its weights as float16");
    return {};
  }
  Rewrite rewrite(ctx, "BlockedConv of float16 weights");
  rewrite.take(id);
  std::vector<ValueId> inputs = conv.inputs;
  inputs[1] = rewrite.constant(graph.value(inputs[1]).name, halves->weight);
  if (!halves->factor.empty()) {
    inputs.resize(5, kNoValue);
    inputs[4] = rewrite.constant(graph.value(conv.inputs[1]).name + "_factor", std::move(factor));
  }
  rewrite.become(conv.outputs[0],
                 rewrite.add({.op = conv.op, .domain = kOwn, .inputs = inputs, .attributes = conv.attributes}));
  rewrite.apply();
  return {};
}

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order)
    if (is_op(ctx.graph().node(id), "BlockedConv", kOwn)) SDX_TRY(narrow(ctx, id));
  return {};
}

}  // namespace

constinit const Pass narrow_weights{"narrow_weights", Level::layout, Exactness::rounding,
                                    "leaves weights of blocked convolutions in float16", run};

}  // namespace sdx::passes
