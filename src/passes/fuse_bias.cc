// A product by a matrix and the bias along its columns become one node.
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

// A number a column of the product's output.
bool is_bias(const Graph& graph, ValueId value, ValueId product) {
  const Tensor* bias = weight_of(graph, value);
  const Fact& y = graph.fact(product);
  return bias != nullptr && bias->rank() == 1 && y.has_rank() && y.rank() >= 2 && same_type(graph, value, product) &&
         y.dim(y.rank() - 1).is(bias->dim(0));
}

void fuse(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node& product = graph.node(id);
  const ValueId y = product.outputs[0];
  const NodeId user = only_user(graph, y);
  if (user == kNoNode || !is_op(graph.node(user), "Add") || graph.fact(y).dtype != DType::f32) return;
  if (product.attributes.get_float("alpha", 1) != 1) return ctx.decline(user, "MatMul + Add: the product is scaled");
  const Node& add = graph.node(user);
  const ValueId bias = add.inputs[add.inputs[0] == y ? 1 : 0];
  if (!is_bias(graph, bias, y)) return;
  Rewrite rewrite(ctx, formatted("{} + Add", product.op));
  rewrite.take(id).take(user);
  Attributes attributes = product.attributes;
  attributes.remove("alpha");
  rewrite.become(add.outputs[0], rewrite.add({.op = "BiasMatMul",
                                              .domain = kOwn,
                                              .inputs = {product.inputs[0], product.inputs[1], bias},
                                              .attributes = attributes}));
  rewrite.apply();
}

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order) {
    const Node& node = ctx.graph().node(id);
    if (is_op(node, "MatMul") || is_op(node, "FusedMatMul", kContrib)) fuse(ctx, id);
  }
  return {};
}

}  // namespace

constinit const Pass fuse_bias{"fuse_bias", Level::layout, Exactness::rounding,
                               "makes one node of a product and the bias behind it", run};

}  // namespace sdx::passes
