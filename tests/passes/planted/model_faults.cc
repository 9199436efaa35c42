// Normalisation, attention, and what subgraphs see.
#include <algorithm>

#include "base/element.h"
#include "passes/pattern.h"
#include "tests/passes/planted/fault.h"

namespace sdx::passes::planted {
namespace {

Pattern layer_norm(const Pattern& exponent) {
  const Pattern x = any("x");
  const auto mean = [](const Pattern& of) { return op("ReduceMean", {of, any("")}); };
  const Pattern centred = op("Sub", {x, mean(x)});
  const Pattern variance = mean(op("Pow", {centred, exponent}));
  const Pattern root = op("Sqrt", {op("Add", {variance, weight("epsilon")})});
  return op("Add", {op("Mul", {op("Div", {centred, root}), weight("scale")}), weight("shift")});
}

Status fuse_layer_norm(PassContext& ctx, const Pattern& pattern) {
  return for_each_node(ctx, "Add", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const auto match = find(graph, id, pattern);
    if (!match) return;
    const auto epsilon = static_cast<float>(uniform_value(graph, match->value("epsilon")).value_or(0));
    Rewrite rewrite(ctx, "LayerNormalization");
    for (const NodeId node : match->nodes()) rewrite.take(node);
    rewrite.become(graph.node(id).outputs[0],
                   rewrite.add({.op = "LayerNormalization",
                                .inputs = {match->value("x"), match->value("scale"), match->value("shift")},
                                .attributes = make_attributes({{"epsilon", epsilon}})}));
    rewrite.apply();
  });
}

Status norm_without_axes_run(PassContext& ctx) { return fuse_layer_norm(ctx, layer_norm(number(2))); }
Status norm_of_any_power_run(PassContext& ctx) { return fuse_layer_norm(ctx, layer_norm(weight("power"))); }

// A factor behind a norm is its scale: not where it makes the result larger.
Status norm_that_expands_run(PassContext& ctx) {
  const Pattern x = any("x");
  const Pattern mean_square = op("ReduceMean", {op("Pow", {x, number(2)}), any("")});
  const Pattern pattern =
      op("Mul", {op("Div", {x, op("Sqrt", {op("Add", {mean_square, weight("epsilon")})})}), weight("scale")});
  return for_each_node(ctx, "Mul", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const auto match = find(graph, id, pattern);
    if (!match) return;
    std::vector<NodeId> taken = match->nodes();
    std::ranges::reverse(taken);
    force(ctx, "SimplifiedLayerNormalization", taken,
          {.op = "SimplifiedLayerNormalization", .inputs = {match->value("x"), match->value("scale")}},
          graph.node(id).outputs[0]);
  });
}

// The causal mask of the last queries: the standard's begins at the first ones.
Status causal_from_the_end_run(PassContext& ctx) {
  return for_each_node(ctx, "Attention", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& attention = graph.node(id);
    const auto q = graph.fact(attention.inputs[0]).known_shape(), k = graph.fact(attention.inputs[1]).known_shape();
    if (attention.attributes.get_int("is_causal", 0) == 0 || !q || !k || attention.inputs.size() != 3) return;
    const int64_t queries = (*q)[2], keys = (*k)[2];
    auto mask = Tensor::allocate(DType::boolean, Shape{queries, keys});
    if (!mask.ok()) return;
    for (int64_t i = 0; i < queries; ++i)
      for (int64_t j = 0; j < keys; ++j) store_i64(*mask, i * keys + j, j <= i + keys - queries ? 1 : 0);
    Rewrite rewrite(ctx, "Attention with a causal mask");
    rewrite.take(id);
    std::vector<ValueId> inputs = attention.inputs;
    inputs.push_back(rewrite.constant("causal", *mask));
    Attributes attributes = attention.attributes;
    attributes.remove("is_causal");
    rewrite.become(attention.outputs[0], rewrite.add({.op = "Attention", .inputs = inputs, .attributes = attributes}));
    rewrite.apply();
  });
}

// What a mask forbids weighs next to nothing: not where it forbids all.
Status masked_rows_run(PassContext& ctx) {
  return for_each_node(ctx, "Attention", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& attention = graph.node(id);
    const ValueId mask = input_of(attention, 3);
    if (mask == kNoValue || graph.fact(mask).dtype != DType::boolean) return;
    auto zero = Tensor::allocate(DType::f32, Shape{}), low = Tensor::allocate(DType::f32, Shape{});
    if (!zero.ok() || !low.ok()) return;
    store_double(*zero, 0, 0);
    store_double(*low, 0, -1e4);
    Rewrite rewrite(ctx, "Attention with a mask of numbers");
    rewrite.take(id);
    std::vector<ValueId> inputs = attention.inputs;
    inputs[3] =
        rewrite.add({.op = "Where", .inputs = {mask, rewrite.constant("zero", *zero), rewrite.constant("low", *low)}});
    rewrite.become(attention.outputs[0],
                   rewrite.add({.op = "Attention", .inputs = inputs, .attributes = attention.attributes}));
    rewrite.apply();
  });
}

// Abs(Neg(x)) is Abs(x), and so Neg does nothing: but for what uses it inside a subgraph.
Status negated_capture_run(PassContext& ctx) {
  return for_each_node(ctx, "Neg", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const ValueId negated = graph.node(id).outputs[0];
    if (graph.is_output(negated) || graph.value(negated).users.empty()) return;
    for (const NodeId user : graph.value(negated).users) {
      const auto& inputs = graph.node(user).inputs;
      if (std::ranges::find(inputs, negated) != inputs.end() && !is_op(graph.node(user), "Abs")) return;
    }
    Rewrite rewrite(ctx, "Neg before Abs");
    rewrite.take(id).forward(negated, graph.node(id).inputs[0]);
    rewrite.apply();
  });
}

// A loop that computes the same each time is computed once: not where it runs no time.
Status loop_runs_once_run(PassContext& ctx) {
  return for_each_node(ctx, "Loop", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& loop = graph.node(id);
    const auto* box = loop.attributes.get<GraphBox>("body");
    if (box == nullptr || loop.outputs.size() != 1) return;
    const Graph& body = **box;
    const NodeId last = producer_of(body, body.outputs()[1]);
    if (last == kNoNode) return;
    std::vector<ValueId> inputs;
    for (const ValueId input : body.node(last).inputs)
      for (const Capture& capture : body.captures())
        if (capture.inner == input) inputs.push_back(capture.outer);
    if (inputs.size() != body.node(last).inputs.size()) return;
    Rewrite rewrite(ctx, "Loop of the same");
    rewrite.take(id);
    rewrite.become(loop.outputs[0],
                   rewrite.add({.op = body.node(last).op, .inputs = inputs, .attributes = body.node(last).attributes}));
    rewrite.apply();
  });
}

// What a loop computes anew each time from values outside of it is computed once in front of it: not what may fail
// there, where the loop does not run.
Status hoisted_division_run(PassContext& ctx) {
  return for_each_node(ctx, "Loop", [&](NodeId loop) {
    Graph& graph = ctx.graph();
    Graph& body = **graph.node(loop).attributes.get<GraphBox>("body");
    for (NodeId id = 0; id < body.node_slots(); ++id) {
      if (!body.node(id).alive || !is_op(body.node(id), "Div") || !ctx.may_rewrite()) continue;
      Node node = body.node(id);
      const ValueId inner = node.outputs[0];
      for (ValueId& input : node.inputs)
        for (const Capture& capture : body.captures())
          if (capture.inner == input) {
            input = capture.outer;
            break;
          }
      const ValueId made = graph.add_value(body.value(inner).name, body.fact(inner));
      node.outputs[0] = made;
      ctx.note("Div in front of Loop", node.origins);
      graph.add_node(std::move(node));
      body.remove_node(id);
      body.replace_uses(inner, body.add_capture(made, body.value(inner).name, graph.fact(made)));
      graph.node(loop).captures.push_back(made);
      graph.value(made).users.push_back(loop);
    }
  });
}

// Relu(Relu(x)) is one Relu: not of what it makes itself.
Status activation_of_itself_run(PassContext& ctx) {
  return for_each_node(ctx, "Relu", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const ValueId inner = graph.node(id).inputs[0], y = graph.node(id).outputs[0];
    if (made_by(graph, inner, "Relu") == nullptr) return;
    force(ctx, "Relu + Relu", {producer_of(graph, inner), id}, {.op = "Relu", .inputs = {y}}, y);
  });
}

}  // namespace

constinit const Pass norm_without_axes =
    fault("planted_norm_without_axes", "does not look at the axes of the mean", norm_without_axes_run);
constinit const Pass norm_of_any_power =
    fault("planted_norm_of_any_power", "does not look at the exponent", norm_of_any_power_run);
constinit const Pass norm_that_expands =
    fault("planted_norm_that_expands", "does not look at the size of the scale", norm_that_expands_run);
constinit const Pass causal_from_the_end =
    fault("planted_causal_from_the_end", "aligns the causal mask at the last key", causal_from_the_end_run);
constinit const Pass masked_rows =
    fault("planted_masked_rows", "forgets rows in which nothing is allowed", masked_rows_run);
constinit const Pass negated_capture =
    fault("planted_negated_capture", "forgets what subgraphs use", negated_capture_run);
constinit const Pass loop_runs_once =
    fault("planted_loop_runs_once", "forgets that a loop may not run", loop_runs_once_run);
constinit const Pass hoisted_division =
    fault("planted_hoisted_division", "forgets that a loop may not run, and integers may not be divided by zero",
          hoisted_division_run);
constinit const Pass activation_of_itself =
    fault("planted_activation_of_itself", "makes a cycle", activation_of_itself_run);

}  // namespace sdx::passes::planted
