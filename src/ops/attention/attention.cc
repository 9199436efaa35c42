// Attention: softmax(scale * q k^T, capped, plus mask) v for each head; heads of k and v are shared by groups of q's.
// A mask, causality, windows and padding each hide keys; a query that sees none gives 0. A hidden key takes no part at
// all, whatever its score.
#include <limits>

#include "ops/attention/attention_rules.h"

namespace sdx::ops {
namespace {

Status attention_reference(KernelContext& ctx) {
  SDX_ASSIGN(const AttentionNode node, attention_node(ctx));
  if (ctx.wants_output(1)) store_cache(node.k, ctx.output(1));
  if (ctx.wants_output(2)) store_cache(node.v, ctx.output(2));
  const auto bias = [&](int64_t b, int64_t h, int64_t i, int64_t j) {
    const auto [first, end] = node.range(b, i);
    if (j < first || j >= end) return -std::numeric_limits<double>::infinity();
    return node.mask ? node.mask->at(b, h, i, j) : 0.0;
  };
  return attend(ctx, node.sizes, node.q, node.k, node.v, bias, node.options, ctx.output(0), node.y);
}

}  // namespace

SDX_OP(attention) = {
    .name = "Attention",
    .since = 25,
    .infer = infer_attention,
    .reference = attention_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
