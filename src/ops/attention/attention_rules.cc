#include "ops/attention/attention_rules.h"

#include <cmath>

namespace sdx::ops {
namespace {

// Q, K, V seen as [batch, heads, positions, channels].
Result<SymShape> split_heads(InferContext& ctx, size_t i, std::string_view attribute) {
  const SymShape& shape = *ctx.input(i).shape;
  if (shape.size() == 4) return shape;
  if (shape.size() != 3) return ctx.fail("input {} has rank {}, 3 or 4 is wanted", i, shape.size());
  const int64_t heads = ctx.attr_int(attribute, 0);
  if (heads < 1) return ctx.fail("attribute {} is {}: inputs of rank 3 want at least 1", attribute, heads);
  if (shape[2].is_known() && shape[2].known() % heads != 0)
    return ctx.fail("input {} has {} channels, which do not divide into {} heads", i, shape[2].known(), heads);
  ctx.assume({Constraint::Kind::divides, shape[2], Dim(heads)});
  return SymShape{shape[0], Dim(heads), shape[1], ctx.symbols().floor_div(shape[2], Dim(heads))};
}

Status check_choices(const InferContext& ctx) {
  if (ctx.has_input(4) != ctx.has_input(5)) return ctx.fail("past_key and past_value must be given together");
  if (ctx.has_input(6) && ctx.has_input(4)) return ctx.fail("nonpad_kv_seqlen cannot be given with past_key");
  for (const std::string_view window : {"left_window_size", "right_window_size"})
    if (ctx.attr_int(window, -1) < -1)
      return ctx.fail("attribute {} is {}: at least -1 is wanted", window, ctx.attr_int(window, -1));
  for (const std::string_view heads : {"q_num_heads", "kv_num_heads"})
    if (const auto* count = ctx.attributes().get<int64_t>(heads); count != nullptr && *count < 1)
      return ctx.fail("attribute {} is {}: at least 1 is wanted", heads, *count);
  const int64_t mode = ctx.attr_int("qk_matmul_output_mode", 0);
  if (mode < 0 || mode > 3) return ctx.fail("attribute qk_matmul_output_mode is {}, which is outside [0, 3]", mode);
  const int64_t precision = ctx.attr_int("softmax_precision", 1);
  if (precision != 1 && precision != 10 && precision != 11 && precision != 16)
    return ctx.fail("attribute softmax_precision is {}: 1, 10, 11 or 16 is wanted", precision);
  return {};
}

}  // namespace

Result<Facts> infer_attention(InferContext& ctx) {
  SDX_TRY(check_choices(ctx));
  const DType type = ctx.dtype(0), value_type = ctx.dtype(2);
  if (!ctx.has_rank(0) || !ctx.has_rank(1) || !ctx.has_rank(2)) {
    return Facts({tensor_fact(type, std::nullopt), tensor_fact(type, ctx.unknown_shape(4)),
                  tensor_fact(value_type, ctx.unknown_shape(4)), tensor_fact(type, ctx.unknown_shape(4))});
  }
  if (ctx.rank(0) != ctx.rank(1) || ctx.rank(0) != ctx.rank(2)) return ctx.fail("Q, K and V have different ranks");
  SDX_ASSIGN(const SymShape q, split_heads(ctx, 0, "q_num_heads"));
  SDX_ASSIGN(SymShape k, split_heads(ctx, 1, "kv_num_heads"));
  SDX_ASSIGN(SymShape v, split_heads(ctx, 2, "kv_num_heads"));
  SDX_ASSIGN(const Dim batch, ctx.same(q[0], k[0], "batch of Q and K"));
  SDX_TRY(ctx.same(k[0], v[0], "batch of K and V").status());
  SDX_TRY(ctx.same(k[1], v[1], "heads of K and V").status());
  SDX_TRY(ctx.same(k[2], v[2], "sequence of K and V").status());
  SDX_TRY(ctx.same(q[3], k[3], "head size of Q and K").status());
  if (q[1].is_known() && k[1].is_known() && (k[1].known() == 0 ? q[1].known() != 0 : q[1].known() % k[1].known() != 0))
    return ctx.fail("{} heads of Q cannot share {} heads of K", q[1].known(), k[1].known());
  if (!q[1].is_known() || !k[1].is_known()) ctx.assume({Constraint::Kind::divides, q[1], k[1]});
  SymShape present_k = k, present_v = v;
  if (ctx.has_input(4)) {
    SDX_TRY(append_past(ctx, 4, present_k));
    SDX_TRY(append_past(ctx, 5, present_v));
    SDX_TRY(ctx.same(present_k[2], present_v[2], "sequence of past_key and past_value").status());
  }
  SymShape y{batch, q[1], q[2], v[3]};
  if (ctx.rank(0) == 3) y = {batch, q[2], ctx.symbols().mul(q[1], v[3])};
  return Facts({tensor_fact(type, y), tensor_fact(type, present_k), tensor_fact(value_type, present_v),
                tensor_fact(type, SymShape{batch, q[1], q[2], present_k[2]})});
}

Result<AttentionNode> attention_node(KernelContext& ctx) {
  AttentionNode node;
  const Tensor &q = ctx.input(0), &k = ctx.input(1), &v = ctx.input(2);
  node.packed = q.rank() == 3;
  AttentionSizes& sizes = node.sizes;
  sizes.batch = q.dim(0);
  sizes.heads = node.packed ? ctx.attr_int("q_num_heads", 1) : q.dim(1);
  sizes.kv_heads = node.packed ? ctx.attr_int("kv_num_heads", 1) : k.dim(1);
  sizes.queries = node.packed ? q.dim(1) : q.dim(2);
  sizes.head_size = node.packed ? q.dim(2) / sizes.heads : q.dim(3);
  sizes.value_size = node.packed ? v.dim(2) / sizes.kv_heads : v.dim(3);
  node.q = node.packed ? heads_packed(q, sizes.head_size) : heads_first(q);
  node.k.fresh = node.packed ? heads_packed(k, sizes.head_size) : heads_first(k);
  node.v.fresh = node.packed ? heads_packed(v, sizes.value_size) : heads_first(v);
  node.y = node.packed ? heads_packed(ctx.output(0), sizes.value_size) : heads_first(ctx.output(0));
  const int64_t fresh = node.packed ? k.dim(1) : k.dim(2);
  if (ctx.has_input(4)) {
    node.k.past = heads_first(ctx.input(4));
    node.v.past = heads_first(ctx.input(5));
    node.k.past_length = node.v.past_length = ctx.input(4).dim(2);
  }
  sizes.keys = node.k.past_length + fresh;

  AttentionOptions& options = node.options;
  const auto* scale = ctx.attributes().get<float>("scale");
  options.scale = scale != nullptr ? *scale : 1 / std::sqrt(static_cast<double>(sizes.head_size));
  options.softcap = ctx.attr_float("softcap", 0);
  if (ctx.attributes().has("softmax_precision"))
    options.softmax_type = dtype_from_onnx(ctx.attr_int("softmax_precision", 1));
  options.stage = static_cast<ScoreStage>(ctx.attr_int("qk_matmul_output_mode", 0));
  if (ctx.wants_output(3)) options.scores = &ctx.output(3);
  node.causal = ctx.attr_int("is_causal", 0) != 0;
  node.left_window = ctx.attr_int("left_window_size", -1);
  node.right_window = ctx.attr_int("right_window_size", -1);
  if (ctx.has_input(6) && ctx.input(6).count() != sizes.batch)
    return invalid_argument("nonpad_kv_seqlen has {} values, {} are wanted", ctx.input(6).count(), sizes.batch);
  for (int64_t b = 0; b < sizes.batch; ++b) {
    const int64_t valid = ctx.has_input(6) ? load_i64(ctx.input(6), b) : sizes.keys;
    if (valid < 0 || valid > sizes.keys)
      return invalid_argument("nonpad_kv_seqlen[{}] is {}, which is outside [0, {}]", b, valid, sizes.keys);
    node.valid.push_back(valid);
    node.offsets.push_back(ctx.has_input(6) ? valid - sizes.queries : node.k.past_length);
  }
  if (ctx.has_input(3)) {
    SDX_ASSIGN(node.mask, BroadcastMask::create(ctx.input(3), sizes));
  }
  return node;
}

std::pair<int64_t, int64_t> AttentionNode::range(int64_t b, int64_t i) const {
  const int64_t position = offsets[static_cast<size_t>(b)] + i;
  int64_t first = 0, end = valid[static_cast<size_t>(b)];
  if (causal) end = std::min(end, position + 1);
  // A position may lie before the first key, as far as there are queries.
  if (right_window >= 0) end = std::min(end, position + std::min(right_window, sizes.keys + sizes.queries) + 1);
  if (left_window >= 0 && left_window < position) first = std::max(first, position - left_window);
  return {first, std::max(first, end)};
}

}  // namespace sdx::ops
