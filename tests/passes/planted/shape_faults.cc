// Movement of elements: slices, transposes, reshapes, pads, and quantization across them.
#include <algorithm>

#include "base/element.h"
#include "tests/passes/planted/fault.h"

namespace sdx::passes::planted {
namespace {

Tensor ints(std::vector<int64_t> values) {
  Tensor made = Tensor::allocate(DType::i64, Shape{static_cast<int64_t>(values.size())}).value();
  for (size_t i = 0; i < values.size(); ++i) store_i64(made, static_cast<int64_t>(i), values[i]);
  return made;
}

// Gather at a Range is a Slice: not where the range begins before zero.
Status range_to_slice_run(PassContext& ctx) {
  return for_each_node(ctx, "Gather", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& gather = graph.node(id);
    const Node* range = made_by(graph, gather.inputs[1], "Range");
    if (range == nullptr || uniform_value(graph, range->inputs[2]) != 1) return;
    Rewrite rewrite(ctx, "Range + Gather");
    rewrite.take(producer_of(graph, gather.inputs[1])).take(id);
    const ValueId zero = rewrite.constant("zero", ints({0}));
    const auto vector = [&](ValueId number) { return rewrite.add({.op = "Unsqueeze", .inputs = {number, zero}}); };
    const ValueId begin = vector(range->inputs[0]), end = vector(range->inputs[1]);
    const ValueId axis = rewrite.constant("axis", ints({gather.attributes.get_int("axis", 0)}));
    rewrite.become(gather.outputs[0], rewrite.add({.op = "Slice", .inputs = {gather.inputs[0], begin, end, axis}}));
    rewrite.apply();
  });
}

// Transposes around a Pad undo each other: its axes are those of the transposed tensor.
Status transposes_around_pad_run(PassContext& ctx) {
  return for_each_node(ctx, "Transpose", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& outer = graph.node(id);
    const Node* pad = made_by(graph, outer.inputs[0], "Pad");
    const Node* inner = pad == nullptr ? nullptr : made_by(graph, pad->inputs[0], "Transpose");
    if (inner == nullptr || input_of(*pad, 3) == kNoValue) return;
    const auto first = inner->attributes.get_ints("perm"), second = outer.attributes.get_ints("perm");
    for (size_t i = 0; i < first.size(); ++i)
      if (second[static_cast<size_t>(first[i])] != static_cast<int64_t>(i)) return;
    Rewrite rewrite(ctx, "Transpose + Pad + Transpose");
    rewrite.take(producer_of(graph, pad->inputs[0])).take(producer_of(graph, outer.inputs[0])).take(id);
    std::vector<ValueId> inputs = pad->inputs;
    inputs[0] = inner->inputs[0];
    rewrite.become(outer.outputs[0], rewrite.add({.op = "Pad", .inputs = inputs, .attributes = pad->attributes}));
    rewrite.apply();
  });
}

// Transposes around an Add undo each other: its other operand lies as the transposed tensor does.
Status transposes_around_add_run(PassContext& ctx) {
  return for_each_node(ctx, "Transpose", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& outer = graph.node(id);
    const Node* add = made_by(graph, outer.inputs[0], "Add");
    const Node* inner = add == nullptr ? nullptr : made_by(graph, add->inputs[0], "Transpose");
    if (inner == nullptr || graph.fact(outer.inputs[0]).rank() != 2) return;
    Rewrite rewrite(ctx, "Transpose + Add + Transpose");
    rewrite.take(producer_of(graph, add->inputs[0])).take(producer_of(graph, outer.inputs[0])).take(id);
    rewrite.become(outer.outputs[0], rewrite.add({.op = "Add", .inputs = {inner->inputs[0], add->inputs[1]}}));
    rewrite.apply();
  });
}

// A Gemm reads its second operand the other way round: not where the Transpose does nothing.
Status transposed_gemm_run(PassContext& ctx) {
  return for_each_node(ctx, "Gemm", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& gemm = graph.node(id);
    const Node* transpose = made_by(graph, gemm.inputs[1], "Transpose");
    if (transpose == nullptr) return;
    Rewrite rewrite(ctx, "Transpose + Gemm");
    rewrite.take(producer_of(graph, gemm.inputs[1])).take(id);
    std::vector<ValueId> inputs = gemm.inputs;
    inputs[1] = transpose->inputs[0];
    Attributes attributes = gemm.attributes;
    attributes.set("transB", 1 - gemm.attributes.get_int("transB", 0));
    rewrite.become(gemm.outputs[0], rewrite.add({.op = "Gemm", .inputs = inputs, .attributes = attributes}));
    rewrite.apply();
  });
}

// Of two Reshapes in a row only the second counts: not where the first makes the shape.
Status reshape_by_reshape_run(PassContext& ctx) {
  return for_each_node(ctx, "Reshape", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& outer = graph.node(id);
    for (const ValueId input : outer.inputs) {
      const Node* inner = made_by(graph, input, "Reshape");
      if (inner == nullptr) continue;
      const ValueId x = inner->inputs[0], shape = outer.inputs[1] == input ? inner->inputs[1] : outer.inputs[1];
      return force(ctx, "Reshape + Reshape", {producer_of(graph, input), id}, {.op = "Reshape", .inputs = {x, shape}},
                   outer.outputs[0]);
    }
  });
}

// A pool pads by itself: it does not count its own pads.
Status average_of_pads_run(PassContext& ctx) {
  return for_each_node(ctx, "AveragePool", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& pool = graph.node(id);
    const Node* pad = made_by(graph, pool.inputs[0], "Pad");
    const auto added = pad == nullptr ? std::nullopt : ints_of(graph, pad->inputs[1]);
    if (!added || pool.attributes.has("pads") || input_of(*pad, 3) != kNoValue) return;
    const size_t rank = added->size() / 2;
    std::vector<int64_t> pads;
    for (const size_t first : {size_t{2}, rank + 2})
      for (size_t axis = 0; axis + 2 < rank; ++axis) pads.push_back((*added)[first + axis]);
    Rewrite rewrite(ctx, "Pad + AveragePool");
    rewrite.take(producer_of(graph, pool.inputs[0])).take(id);
    Attributes attributes = pool.attributes;
    attributes.set("pads", pads);
    rewrite.become(pool.outputs[0],
                   rewrite.add({.op = "AveragePool", .inputs = {pad->inputs[0]}, .attributes = attributes}));
    rewrite.apply();
  });
}

// Transpose + Quantize + Dequantize is the same the other way round: who else uses the float has it rounded then.
Status quantize_above_transpose_run(PassContext& ctx) {
  return for_each_node(ctx, "DequantizeLinear", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& dequantize = graph.node(id);
    const Node* quantize = made_by(graph, dequantize.inputs[0], "QuantizeLinear");
    const Node* transpose = quantize == nullptr ? nullptr : made_by(graph, quantize->inputs[0], "Transpose");
    const NodeId producer = transpose == nullptr ? kNoNode : producer_of(graph, transpose->inputs[0]);
    if (producer == kNoNode) return;
    const Node& source = graph.node(producer);
    const ValueId x = transpose->inputs[0], y = dequantize.outputs[0];
    Rewrite rewrite(ctx, "Transpose + QuantizeLinear");
    rewrite.take(producer).take(producer_of(graph, quantize->inputs[0])).take(producer_of(graph, dequantize.inputs[0]));
    rewrite.take(id);
    const ValueId made = rewrite.add({.op = source.op, .inputs = source.inputs, .attributes = source.attributes});
    std::vector<ValueId> inputs = quantize->inputs;
    inputs[0] = made;
    std::vector<ValueId> back = dequantize.inputs;
    back[0] = rewrite.add({.op = "QuantizeLinear", .inputs = inputs, .attributes = quantize->attributes});
    const ValueId rounded =
        rewrite.add({.op = "DequantizeLinear", .inputs = back, .attributes = dequantize.attributes});
    rewrite.become(x, rounded);
    rewrite.become(y, rewrite.add({.op = "Transpose", .inputs = {rounded}, .attributes = transpose->attributes}));
    rewrite.apply();
  });
}

}  // namespace

constinit const Pass range_to_slice =
    fault("planted_range_to_slice", "forgets that a slice counts negative numbers from the end", range_to_slice_run);
constinit const Pass transposes_around_pad =
    fault("planted_transposes_around_pad", "forgets that a pad may name its axes", transposes_around_pad_run);
constinit const Pass transposes_around_add =
    fault("planted_transposes_around_add", "does not turn the other operand", transposes_around_add_run);
constinit const Pass transposed_gemm =
    fault("planted_transposed_gemm", "does not look at the permutation", transposed_gemm_run);
constinit const Pass reshape_by_reshape =
    fault("planted_reshape_by_reshape", "matches the shape for the data", reshape_by_reshape_run);
constinit const Pass average_of_pads =
    fault("planted_average_of_pads", "forgets what a pool divides by", average_of_pads_run);
constinit const Pass quantize_above_transpose =
    fault("planted_quantize_above_transpose", "forgets that the float has other users", quantize_above_transpose_run);

}  // namespace sdx::passes::planted
