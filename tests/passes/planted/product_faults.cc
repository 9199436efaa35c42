// Products and what lies in front of them.
#include <algorithm>
#include <cstring>

#include "tests/passes/planted/fault.h"

namespace sdx::passes::planted {
namespace {

// A product reads its second operand the other way round: not where batches are exchanged as well.
Status turned_batches_run(PassContext& ctx) {
  return for_each_node(ctx, "MatMul", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& product = graph.node(id);
    const Node* turn = made_by(graph, product.inputs[1], "Transpose");
    if (turn == nullptr) return;
    const auto perm = turn->attributes.get_ints("perm");
    const size_t rank = perm.size();
    if (rank < 2 || perm[rank - 1] != static_cast<int64_t>(rank - 2)) return;
    Rewrite rewrite(ctx, "Transpose + MatMul");
    rewrite.take(producer_of(graph, product.inputs[1])).take(id);
    rewrite.become(product.outputs[0], rewrite.add({.op = "FusedMatMul",
                                                    .domain = kContrib,
                                                    .inputs = {product.inputs[0], turn->inputs[0]},
                                                    .attributes = make_attributes({{"transB", int64_t{1}}})}));
    rewrite.apply();
  });
}

// "ij,jk" is a product of matrices: not where the letters of its result, which it does not name, come in another order.
Status einsum_in_order_run(PassContext& ctx) {
  return for_each_node(ctx, "Einsum", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& einsum = graph.node(id);
    const auto* equation = einsum.attributes.get<std::string>("equation");
    if (equation == nullptr || equation->size() != 5 || (*equation)[1] != (*equation)[3]) return;
    Rewrite rewrite(ctx, "Einsum of two matrices");
    rewrite.take(id);
    rewrite.become(einsum.outputs[0], rewrite.add({.op = "MatMul", .inputs = einsum.inputs}));
    rewrite.apply();
  });
}

// Codes without zero points are MatMulNBits' default: its zero is in the middle, that of unsigned ones at their end.
Status codes_without_zero_run(PassContext& ctx) {
  return for_each_node(ctx, "MatMul", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& product = graph.node(id);
    const Node* turn = made_by(graph, product.inputs[1], "Transpose");
    const Node* floats = turn == nullptr ? nullptr : made_by(graph, turn->inputs[0], "DequantizeLinear");
    const Tensor* codes = floats == nullptr ? nullptr : small_weight_of(graph, floats->inputs[0]);
    const Tensor* scales = floats == nullptr ? nullptr : small_weight_of(graph, floats->inputs[1]);
    if (codes == nullptr || scales == nullptr || input_of(*floats, 2) != kNoValue) return;
    const int64_t block = floats->attributes.get_int("block_size", 0), columns = codes->dim(0), depth = codes->dim(1);
    if (block == 0) return;
    auto packed = Tensor::allocate(DType::u8, Shape{columns, depth / block, block / 2});
    if (!packed.ok()) return;
    std::memcpy(packed->raw(), codes->raw(), packed->byte_size());
    if (codes->dtype() == DType::i4)
      for (int64_t i = 0; i < packed->count(); ++i) packed->data<uint8_t>()[i] ^= 0x88;
    Rewrite rewrite(ctx, "MatMul of 4-bit codes");
    rewrite.take(producer_of(graph, turn->inputs[0])).take(producer_of(graph, product.inputs[1])).take(id);
    const Attributes sizes =
        make_attributes({{"K", depth}, {"N", columns}, {"bits", int64_t{4}}, {"block_size", block}});
    rewrite.become(product.outputs[0],
                   rewrite.add({.op = "MatMulNBits",
                                .domain = kContrib,
                                .inputs = {product.inputs[0], rewrite.constant("codes", *packed), floats->inputs[1]},
                                .attributes = sizes}));
    rewrite.apply();
  });
}

// Operands of a product are rounded to bfloat16: not what is added to it.
Status rounded_bias_run(PassContext& ctx) {
  return for_each_node(ctx, "Gemm", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& gemm = graph.node(id);
    if (input_of(gemm, 2) == kNoValue || made_by(graph, gemm.inputs[2], "Cast") != nullptr) return;
    Rewrite rewrite(ctx, "Gemm in bfloat16");
    rewrite.take(id);
    std::vector<ValueId> inputs = gemm.inputs;
    for (const DType type : {DType::bf16, DType::f32})
      inputs[2] = rewrite.add(
          {.op = "Cast", .inputs = {inputs[2]}, .attributes = make_attributes({{"to", static_cast<int64_t>(type)}})});
    rewrite.become(gemm.outputs[0], rewrite.add({.op = "Gemm", .inputs = inputs, .attributes = gemm.attributes}));
    rewrite.apply();
  });
}

// A convolution pads by itself: with zeros.
Status absorbed_fill_run(PassContext& ctx) {
  return for_each_node(ctx, "Conv", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& conv = graph.node(id);
    const Node* pad = made_by(graph, conv.inputs[0], "Pad");
    const auto added = pad == nullptr ? std::nullopt : ints_of(graph, pad->inputs[1]);
    if (!added || conv.attributes.has("pads")) return;
    const size_t rank = added->size() / 2;
    std::vector<int64_t> pads;
    for (const size_t first : {size_t{2}, rank + 2})
      for (size_t axis = 0; axis + 2 < rank; ++axis) pads.push_back((*added)[first + axis]);
    Rewrite rewrite(ctx, "Pad + Conv");
    rewrite.take(producer_of(graph, conv.inputs[0])).take(id);
    std::vector<ValueId> inputs = conv.inputs;
    inputs[0] = pad->inputs[0];
    Attributes attributes = conv.attributes;
    attributes.set("pads", pads);
    rewrite.become(conv.outputs[0], rewrite.add({.op = "Conv", .inputs = inputs, .attributes = attributes}));
    rewrite.apply();
  });
}

}  // namespace

constinit const Pass turned_batches =
    fault("planted_turned_batches", "looks at the last axis of a permutation only", turned_batches_run);
constinit const Pass einsum_in_order =
    fault("planted_einsum_in_order", "forgets that unnamed results are in alphabetical order", einsum_in_order_run);
constinit const Pass codes_without_zero =
    fault("planted_codes_without_zero", "forgets that defaults differ", codes_without_zero_run);
constinit const Pass rounded_bias = fault("planted_rounded_bias", "rounds what is added, too", rounded_bias_run);
constinit const Pass absorbed_fill =
    fault("planted_absorbed_fill", "forgets that a pad may be no zeros", absorbed_fill_run);

}  // namespace sdx::passes::planted
