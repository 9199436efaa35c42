#include "ops/attention/projected_attention.h"

namespace sdx::ops {

Result<std::array<int64_t, 3>> projected_channels(const Attributes& attributes, int64_t width) {
  const int64_t heads = attributes.get_int("num_heads", 0);
  const auto sizes = attributes.get_ints("qkv_hidden_sizes");
  std::array<int64_t, 3> made{width / 3, width / 3, width / 3};
  if (!sizes.empty()) {
    if (sizes.size() != 3) return invalid_argument("attribute qkv_hidden_sizes has {} values, not 3", sizes.size());
    std::copy(sizes.begin(), sizes.end(), made.begin());
  }
  for (const int64_t channels : made)
    if (heads < 1 || channels < 0 || channels > width || channels % heads != 0)
      return invalid_argument("{} channels do not divide into num_heads = {}", channels, heads);
  if (made[0] != made[1]) return invalid_argument("query has {} channels, key has {}", made[0], made[1]);
  if (made[0] + made[1] + made[2] != width)
    return invalid_argument("{}, {} and {} channels are not the {} of the weights", made[0], made[1], made[2], width);
  return made;
}

Result<Facts> infer_projected_attention(InferContext& ctx, const ProjectedInputs& inputs, DType type) {
  if (ctx.attr_int("do_rotary", 0) != 0) return Status(Code::not_implemented, "do_rotary is not implemented");
  if (ctx.attr_int("past_present_share_buffer", 0) != 0)
    return Status(Code::not_implemented, "past_present_share_buffer is not implemented");
  const int64_t heads = ctx.attr_int("num_heads", 0);
  if (heads < 1) return ctx.fail("attribute num_heads is {}, at least 1 is wanted", heads);
  if (!ctx.has_rank(0) || !ctx.has_rank(inputs.weights))
    return Facts({tensor_fact(type, ctx.unknown_shape(3)), tensor_fact(type, ctx.unknown_shape(5))});
  if (ctx.rank(0) != 3) return ctx.fail("the input has rank {}, 3 is wanted", ctx.rank(0));
  if (ctx.rank(inputs.weights) != 2) return ctx.fail("weights have rank {}, 2 is wanted", ctx.rank(inputs.weights));
  SDX_TRY(ctx.same(ctx.dim(0, 2), ctx.dim(inputs.weights, 0), "channels of input and weights").status());
  const Dim& width = ctx.dim(inputs.weights, 1);
  if (ctx.has_input(inputs.bias) && ctx.has_rank(inputs.bias)) {
    if (ctx.rank(inputs.bias) != 1) return ctx.fail("bias has rank {}, 1 is wanted", ctx.rank(inputs.bias));
    SDX_TRY(ctx.same(width, ctx.dim(inputs.bias, 0), "columns of weights and bias").status());
  }
  Dim channels = ctx.unknown_dim(), size = ctx.unknown_dim();
  if (width.is_known()) {
    SDX_ASSIGN(const auto parts, projected_channels(ctx.attributes(), width.known()));
    channels = Dim(parts[2]);
    size = Dim(parts[0] / heads);
    if (parts[2] != parts[0] && (ctx.has_input(inputs.past) || ctx.wants_output(1)))
      return ctx.fail("a past or present wants as many channels of value as of key");
  }
  Dim keys = ctx.dim(0, 1);
  if (ctx.has_input(inputs.past)) {
    if (ctx.has_rank(inputs.past)) {
      if (ctx.rank(inputs.past) != 5) return ctx.fail("past has rank {}, 5 is wanted", ctx.rank(inputs.past));
      const SymShape wanted{Dim(2), ctx.dim(0, 0), Dim(heads), ctx.dim(inputs.past, 3), size};
      for (size_t d = 0; d < 5; ++d)
        SDX_TRY(ctx.same(wanted[d], ctx.dim(inputs.past, static_cast<int>(d)), formatted("dimension {} of past", d))
                    .status());
      keys = ctx.symbols().add(ctx.dim(inputs.past, 3), keys);
    } else {
      keys = ctx.unknown_dim();
    }
  }
  return Facts({tensor_fact(type, SymShape{ctx.dim(0, 0), ctx.dim(0, 1), channels}),
                tensor_fact(type, SymShape{Dim(2), ctx.dim(0, 0), Dim(heads), keys, size})});
}

Status run_projected_attention(KernelContext& ctx, const ProjectedInputs& inputs, const Tensor& projected,
                               AttendPath path, ScratchParts* scratch) {
  const int64_t heads = ctx.attr_int("num_heads", 1);
  SDX_ASSIGN(const auto channels, projected_channels(ctx.attributes(), projected.dim(2)));
  MaskedAttention call;
  AttentionSizes& sizes = call.sizes;
  sizes.batch = projected.dim(0);
  sizes.heads = sizes.kv_heads = heads;
  sizes.queries = projected.dim(1);
  sizes.head_size = channels[0] / heads;
  sizes.value_size = channels[2] / heads;
  call.q = heads_packed(projected, sizes.head_size);
  call.k.fresh = heads_packed(projected, sizes.head_size, channels[0]);
  call.v.fresh = heads_packed(projected, sizes.value_size, channels[0] + channels[1]);
  call.y = heads_packed(ctx.output(0), sizes.value_size);
  sizes.keys = sizes.queries;
  if (ctx.has_input(inputs.past)) {
    const Tensor& past = ctx.input(inputs.past);
    const int64_t length = past.dim(3), size = past.dim(4);
    call.k.past = {
        .tensor = &past, .offset = 0, .batch = heads * length * size, .head = length * size, .position = size};
    call.v.past = call.k.past;
    call.v.past.offset = sizes.batch * heads * length * size;
    call.k.past_length = call.v.past_length = length;
    sizes.keys += length;
  }
  if (ctx.wants_output(1)) {
    call.present_k = {&ctx.output(1), 0};
    call.present_v = {&ctx.output(1), sizes.batch * heads * sizes.keys * sizes.head_size};
  }
  if (ctx.has_input(inputs.mask)) call.mask = &ctx.input(inputs.mask);
  if (inputs.score_bias >= 0 && ctx.has_input(static_cast<size_t>(inputs.score_bias)))
    call.bias = &ctx.input(static_cast<size_t>(inputs.score_bias));
  call.causal = ctx.attr_int("unidirectional", 0) != 0;
  call.filter = ctx.attr_float("mask_filter_value", -10000);
  call.scale = attention_scale(ctx.attributes(), sizes.head_size);
  return masked_attention(ctx, call, path, scratch);
}

void add_projected_scratch(ScratchSize& size, const ProjectedInputs& inputs) {
  const NodeFacts& node = size.node();
  SymbolTable& symbols = size.symbols();
  const Dim batch = size.input(0, 0), queries = size.input(0, 1), width = size.input(inputs.weights, 1);
  size.part(size.product({batch, queries, width}), sizeof(float));
  MaskedScratch call;
  if (node.has_input(inputs.past) && !node.wants_output(1)) {  // keys and values are as wide
    const Dim keys = symbols.add(queries, size.input(inputs.past, 3));
    const Dim channels = symbols.mul(size.input(inputs.past, 2), size.input(inputs.past, 4));
    call.key_elements = call.value_elements = size.product({batch, keys, channels});
  }
  add_masked_scratch(size, call);
}

}  // namespace sdx::ops
