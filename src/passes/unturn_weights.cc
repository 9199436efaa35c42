// A product by a weight that was transposed ahead: the product reads it the other way round instead, so that nobody has
// to make the transpose.
#include <algorithm>

#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

// The matrix that the weight is the transpose of; undefined where it is none.
Tensor unturned(const PassContext& ctx, ValueId value) {
  const Tensor* weight = weight_of(ctx.graph(), value);
  if (weight == nullptr || weight->rank() != 2) return {};
  const auto recipe = ctx.weights().recipe_of(*weight);
  if (recipe == nullptr || !recipe->is_transpose) return {};
  const Recipe::Source& source = recipe->sources[0];
  return source.recipe == nullptr ? source.weight : Tensor();
}

void unturn(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node& node = graph.node(id);
  const bool is_gemm = is_op(node, "Gemm");
  const Tensor matrix = unturned(ctx, node.inputs[1]);
  if (!matrix.defined() || graph.fact(node.outputs[0]).dtype != DType::f32) return;
  Attributes attributes = node.attributes;
  std::vector<ValueId> inputs = node.inputs;
  Rewrite rewrite(ctx, formatted("{} by a transposed weight", node.op));
  rewrite.take(id);
  inputs[1] = rewrite.constant(graph.value(node.inputs[1]).name, matrix);
  attributes.set("transB", is_gemm ? 1 - node.attributes.get_int("transB", 0) : int64_t{1});
  const NewNode made =
      is_gemm ? NewNode{.op = "Gemm", .inputs = inputs, .attributes = attributes}
              : NewNode{.op = "FusedMatMul", .domain = kContrib, .inputs = inputs, .attributes = attributes};
  rewrite.become(node.outputs[0], rewrite.add(made));
  rewrite.apply();
}

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order) {
    const Node& node = ctx.graph().node(id);
    if (is_op(node, "MatMul") || is_op(node, "Gemm")) unturn(ctx, id);
  }
  return {};
}

}  // namespace

constinit const Pass unturn_weights{"unturn_weights", Level::extended, Exactness::bits,
                                    "lets products read a weight the other way round instead of its transpose", run};

}  // namespace sdx::passes
