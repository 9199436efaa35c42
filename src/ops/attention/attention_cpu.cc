// Attention for float32 without the output of scores.
#include "ops/attention/attend_f32.h"
#include "ops/attention/attention_rules.h"

namespace sdx::ops {
namespace {

Verdict takes_f32(const NodeFacts& facts) {
  for (const size_t i : {0, 1, 2, 4, 5})
    if (facts.has_input(i) && facts.dtype(i) != DType::f32) return no("only f32");
  if (facts.wants_output(3)) return no("the scores are wanted");
  if (facts.attr_int("softmax_precision", 1) != 1) return no("another precision of the softmax");
  return yes();
}

// The keys or values in one piece: those given where there is no past, else the present.
Result<HeadRows> in_one_piece(KernelContext& ctx, const Cache& cache, size_t output, const Shape& shape,
                              ScratchParts& scratch) {
  const bool wanted = ctx.wants_output(output);
  if (cache.past_length == 0) {
    if (wanted) SDX_TRY(store_cache_f32(ctx, cache, ctx.output(output)));
    return head_rows(cache.fresh);
  }
  Tensor own;
  if (!wanted) own = scratch.take_tensor(DType::f32, shape);
  Tensor& present = wanted ? ctx.output(output) : own;
  SDX_TRY(store_cache_f32(ctx, cache, present));
  return head_rows(heads_first(present));
}

Status run_attention(KernelContext& ctx) {
  SDX_ASSIGN(const AttentionNode node, attention_node(ctx));
  const AttentionSizes& sizes = node.sizes;
  ScratchParts scratch(ctx);
  AttendF32 call{.sizes = sizes, .q = head_rows(node.q), .y = head_rows(node.y)};
  SDX_ASSIGN(call.k,
             in_one_piece(ctx, node.k, 1, Shape{sizes.batch, sizes.kv_heads, sizes.keys, sizes.head_size}, scratch));
  SDX_ASSIGN(call.v,
             in_one_piece(ctx, node.v, 2, Shape{sizes.batch, sizes.kv_heads, sizes.keys, sizes.value_size}, scratch));
  call.scale = static_cast<float>(node.options.scale);
  call.softcap = static_cast<float>(node.options.softcap);
  const auto range_of = [&](int64_t b, int64_t i) {
    const auto [first, end] = node.range(b, i);
    return KeyRange{first, end};
  };
  const FunctionRef<KeyRange(int64_t, int64_t)> range = range_of;
  call.range = &range;
  const auto bias_of = [&](int64_t b, int64_t h, int64_t i, KeyRange keys, float* buffer) {
    return node.mask->row(b, h, i, keys.first, keys.end, buffer);
  };
  const FunctionRef<const float*(int64_t, int64_t, int64_t, KeyRange, float*)> bias = bias_of;
  if (node.mask) call.bias = &bias;
  return attend_f32(ctx, call, scratch);
}

Dim scratch_bytes(const ScratchFacts& facts) {
  ScratchSize size(facts);
  const NodeFacts& node = facts.node;
  const int sequence = node.has_rank(0) && node.rank(0) == 3 ? 1 : 2;
  Dim keys = size.input(1, sequence);
  if (node.has_input(4)) {
    keys = facts.symbols.add(keys, size.input(4, 2));
    for (const size_t i : {4, 5})
      if (!node.wants_output(i - 3))
        size.part(size.product({size.input(i, 0), size.input(i, 1), keys, size.input(i, 3)}), sizeof(float));
  }
  return size.slots(Dim(attend_slot_bytes())).bytes();
}

}  // namespace

SDX_CPU_KERNELS(attention,
                {.name = "attention_f32", .can_run = takes_f32, .run = run_attention, .scratch_bytes = scratch_bytes});

}  // namespace sdx::ops
