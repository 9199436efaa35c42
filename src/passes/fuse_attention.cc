// Softmax(q k' scale + mask) v over heads, as exporters spell it out, becomes one node: no matrix of scores in memory,
// and no heads brought in front, repeated or taken apart.
#include "passes/attention_form.h"
#include "passes/list.h"

namespace sdx::passes {
namespace {

void fuse(PassContext& ctx, NodeId id) {
  AttentionForm form(ctx.graph());
  if (!form.find(id)) {
    if (!form.reason.empty()) ctx.decline(id, formatted("Attention: {}", form.reason));
    return;
  }
  Attributes attributes = make_attributes({{"scale", static_cast<float>(form.scale)}});
  if (form.cap > 0) attributes.set("softcap", static_cast<float>(form.cap));
  std::vector<ValueId> inputs;
  constexpr std::string_view kNames[] = {"q", "k", "v"};
  const Heads* operands[] = {&form.q, &form.k, &form.v};
  for (size_t i = 0; i < 3; ++i) {
    inputs.push_back(operands[i]->value);
    if (operands[i]->by_position) attributes.set(formatted("{}_by_position", kNames[i]), int64_t{1});
    if (operands[i]->part >= 0) attributes.set(formatted("{}_part", kNames[i]), operands[i]->part);
  }
  if (form.y_by_position) attributes.set("y_by_position", int64_t{1});
  if (form.zero_rows) attributes.set("zero_rows", int64_t{1});
  if (form.choice != kNoValue) {
    attributes.set("hidden_score", static_cast<float>(form.hidden_score));
    if (form.hidden_where) attributes.set("hidden_where", int64_t{1});
  }
  inputs.insert(inputs.end(), {form.mask, form.choice});
  while (inputs.back() == kNoValue) inputs.pop_back();
  Rewrite rewrite(ctx, "Attention");
  for (const NodeId node : form.taken()) rewrite.take(node);
  rewrite.become(
      form.y,
      rewrite.add({.op = "ScaledDotProductAttention", .domain = kOwn, .inputs = inputs, .attributes = attributes}));
  rewrite.apply();
}

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order)
    if (may_end_attention(ctx.graph(), ctx.graph().node(id))) fuse(ctx, id);
  return {};
}

}  // namespace

constinit const Pass fuse_attention{"fuse_attention", Level::layout, Exactness::rounding,
                                    "makes one node of the products and the softmax of attention", run};

}  // namespace sdx::passes
