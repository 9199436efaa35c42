// Products by constant matrices round their operands to bfloat16, where the session asks for it and the processor has
// such products. Last of its kind: what hangs behind a product is part of it by then.
#include "ops/linalg/gemm_bf16.h"
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

bool is_product(const Node& node) {
  return is_op(node, "MatMul") || is_op(node, "FusedMatMul", kContrib) || is_op(node, "Gemm") ||
         is_op(node, "BiasMatMul", kOwn);
}

// Empty: it can be.
std::string_view why_not(const Graph& graph, const Node& node) {
  if (graph.fact(node.outputs[0]).dtype != DType::f32) return "the product is not of float32";
  const Tensor* b = weight_of(graph, node.inputs[1]);
  if (b == nullptr || b->rank() != 2) return "the second operand is no constant matrix";
  if (b->count() == 0 || b->dim(0) == 1 || b->dim(1) == 1) return "the constant is a row or a column";
  for (const char* name : {"transA", "transBatchA", "transBatchB"})
    if (node.attributes.get_int(name, 0) != 0) return "an operand is transposed";
  if (node.attributes.get_float("alpha", 1) != 1) return "the product is scaled";
  if (!is_op(node, "Gemm") || node.inputs.size() < 3 || node.inputs[2] == kNoValue) return {};
  const Fact &bias = graph.fact(node.inputs[2]), &y = graph.fact(node.outputs[0]);
  if (node.attributes.get_float("beta", 1) != 1 || !bias.has_rank() || bias.rank() != 1 || bias.dim(0) != y.dim(1))
    return "C is not a number a column";
  return {};
}

void round_operands(PassContext& ctx, NodeId id) {
  const Node& node = ctx.graph().node(id);
  Rewrite rewrite(ctx, formatted("{} in bfloat16", node.op));
  rewrite.take(id);
  Attributes attributes = node.attributes;
  for (const char* name : {"alpha", "beta", "transA"}) attributes.remove(name);
  attributes.list().push_back({"bf16", int64_t{1}});
  rewrite.become(node.outputs[0],
                 rewrite.add({.op = "BiasMatMul", .domain = kOwn, .inputs = node.inputs, .attributes = attributes}));
  rewrite.apply();
}

Status run(PassContext& ctx) {
  if (!ctx.rounds_products()) return {};
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order) {
    const Node& node = ctx.graph().node(id);
    if (!is_product(node) || node.attributes.get_int("bf16", 0) != 0) continue;
    const std::string_view reason =
        !ops::has_bf16_products() ? "the processor has no products of bfloat16" : why_not(ctx.graph(), node);
    if (reason.empty()) {
      round_operands(ctx, id);
    } else {
      ctx.decline(id, formatted("stays in float32: {}", reason));
    }
  }
  return {};
}

}  // namespace

constinit const Pass round_products{"round_products", Level::layout, Exactness::rounding,
                                    "rounds the operands of products to bfloat16, where sardonyx.precision asks for it",
                                    run};

}  // namespace sdx::passes
