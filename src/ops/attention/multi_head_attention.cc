// MultiHeadAttention: softmax(scale * q k^T + bias + mask) v of the heads in query [batch, sequence, heads * size] and
// in key and value, which are [batch, keys, channels] or [batch, heads, keys, size]; or key and value lie in one tensor
// [batch, keys, heads, 2, size], or all in query [batch, sequence, heads, 3, size]. `bias` holds what is added to q, k
// and v first, but to keys and values by heads. With past_sequence_length the past is a cache with spare room, and the
// present that cache with the fresh rows written behind so many. A hidden key's score is lowered by mask_filter_value;
// with unidirectional a later key takes no part. Output 3 is what goes into the softmax (float32's lowest value for
// such a key). As onnxruntime 1.32 answers, which refuses packed tensors on the CPU, and with unidirectional shows the
// last query all keys where there are more of them than queries and no past (here it sees those up to its own place, as
// the text says).
#include "ops/attention/multi_head_attention.h"

#include <cstring>

#include "ops/input_rules.h"
#include "ops/norm/row_kernels.h"

namespace sdx::ops {
namespace {

enum Input : size_t { kQuery, kKey, kValue, kBias, kMask, kScoreBias, kPastKey, kPastValue, kPastLength };

Status check_choices(const InferContext& ctx) {
  constexpr DTypeSet kT = kShortFloats;
  constexpr InputRule kRules[] = {{kQuery, kT},
                                  {kKey, kT, kOptional},
                                  {kValue, kT, kOptional},
                                  {kBias, kT, kOptional},
                                  {kMask, set_of(DType::i32), kOptional},
                                  {kScoreBias, kT, kOptional},
                                  {kPastKey, kT, kOptional},
                                  {kPastValue, kT, kOptional},
                                  {kPastLength, set_of(DType::i32), kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  if (ctx.has_input(kValue) && !ctx.has_input(kKey)) return ctx.fail("value is given without key");
  if (ctx.has_input(kPastKey) != ctx.has_input(kPastValue))
    return ctx.fail("past_key and past_value must be given together");
  if (ctx.has_input(kPastLength) && !ctx.has_input(kPastKey))
    return ctx.fail("past_sequence_length is given without past_key");
  if (ctx.has_input(kPastLength) && ctx.wants_output(3))
    return Status(Code::not_implemented, "scores behind past_sequence_length are not implemented");
  if (ctx.attr_int("num_heads", 0) < 1)
    return ctx.fail("attribute num_heads is {}, at least 1 is wanted", ctx.attr_int("num_heads", 0));
  return {};
}

// [batch, heads, positions, size] of a key or value.
Result<SymShape> by_heads(InferContext& ctx, size_t i, int64_t heads) {
  const SymShape& shape = *ctx.input(i).shape;
  if (shape.size() == 4) {
    SDX_TRY(ctx.same(shape[1], Dim(heads), formatted("heads of input {}", i)).status());
    return shape;
  }
  if (shape.size() != 3) return ctx.fail("input {} has rank {}, 3 or 4 is wanted", i, shape.size());
  if (shape[2].is_known() && shape[2].known() % heads != 0)
    return ctx.fail("input {} has {} channels, which do not divide into {} heads", i, shape[2].known(), heads);
  ctx.assume({Constraint::Kind::divides, shape[2], Dim(heads)});
  return SymShape{shape[0], Dim(heads), shape[1], ctx.symbols().floor_div(shape[2], Dim(heads))};
}

// [batch, heads, positions, size] of what is packed as [batch, positions, heads, parts, size].
Result<SymShape> unpacked(InferContext& ctx, size_t i, int64_t heads, int64_t parts) {
  const SymShape& shape = *ctx.input(i).shape;
  if (shape.size() != 5)
    return ctx.fail("input {} has rank {}: packed with {} parts, 5 is wanted", i, shape.size(), parts);
  SDX_TRY(ctx.same(shape[2], Dim(heads), formatted("heads of input {}", i)).status());
  SDX_TRY(ctx.same(shape[3], Dim(parts), formatted("parts of input {}", i)).status());
  return SymShape{shape[0], shape[2], shape[1], shape[4]};
}

// The fresh rows join what the past holds, or are written into its spare room.
Status join_past(InferContext& ctx, size_t past, SymShape& shape) {
  if (!ctx.has_input(kPastLength)) return append_past(ctx, past, shape);
  if (!ctx.has_rank(past)) {
    shape[2] = ctx.unknown_dim();
    return {};
  }
  if (ctx.rank(past) != 4) return ctx.fail("input {} has rank {}, 4 is wanted", past, ctx.rank(past));
  for (const int d : {0, 1, 3})
    SDX_TRY(ctx.same(shape[static_cast<size_t>(d)], ctx.dim(past, d), formatted("dimension {} of input {}", d, past))
                .status());
  shape[2] = ctx.dim(past, 2);
  return {};
}

Result<Facts> infer_multi_head_attention(InferContext& ctx) {
  SDX_TRY(check_choices(ctx));
  const DType type = ctx.dtype(kQuery);
  const int64_t heads = ctx.attr_int("num_heads", 0);
  const bool has_key = ctx.has_input(kKey), has_value = ctx.has_input(kValue);
  if (!ctx.has_rank(kQuery) || (has_key && !ctx.has_rank(kKey)) || (has_value && !ctx.has_rank(kValue)))
    return Facts({tensor_fact(type, ctx.unknown_shape(3)), tensor_fact(type, ctx.unknown_shape(4)),
                  tensor_fact(type, ctx.unknown_shape(4)), tensor_fact(type, ctx.unknown_shape(4))});
  if (has_key && ctx.rank(kQuery) != 3) return ctx.fail("query has rank {}, 3 is wanted", ctx.rank(kQuery));
  SDX_ASSIGN(const SymShape q, has_key ? by_heads(ctx, kQuery, heads) : unpacked(ctx, kQuery, heads, 3));
  SymShape k = q, v = q;
  if (has_key) {
    SDX_ASSIGN(k, has_value ? by_heads(ctx, kKey, heads) : unpacked(ctx, kKey, heads, 2));
    v = k;
  }
  if (has_value) {
    SDX_ASSIGN(v, by_heads(ctx, kValue, heads));
  }
  SDX_TRY(ctx.same(q[0], k[0], "batch of query and key").status());
  SDX_TRY(ctx.same(k[0], v[0], "batch of key and value").status());
  SDX_TRY(ctx.same(k[2], v[2], "sequence of key and value").status());
  SDX_TRY(ctx.same(q[3], k[3], "head size of query and key").status());
  auto& symbols = ctx.symbols();
  const Dim width = symbols.mul(Dim(heads), v[3]);
  if (ctx.has_input(kBias) && ctx.has_rank(kBias)) {
    if (ctx.rank(kBias) != 1) return ctx.fail("bias has rank {}, 1 is wanted", ctx.rank(kBias));
    const Dim wanted = symbols.add(symbols.mul(Dim(2 * heads), q[3]), width);
    SDX_TRY(ctx.same(wanted, ctx.dim(kBias, 0), "channels of query, key and value, and bias").status());
  }
  if (ctx.has_input(kPastKey)) SDX_TRY(join_past(ctx, kPastKey, k));
  if (ctx.has_input(kPastValue)) SDX_TRY(join_past(ctx, kPastValue, v));
  SDX_TRY(ctx.same(k[2], v[2], "sequence of past_key and past_value").status());
  return Facts({tensor_fact(type, SymShape{q[0], q[2], width}), tensor_fact(type, k), tensor_fact(type, v),
                tensor_fact(type, SymShape{q[0], Dim(heads), q[2], k[2]})});
}

// x plus its part of the bias, where there is one; `own` keeps it where it is not in scratch memory.
Result<const Tensor*> biased(const KernelContext& ctx, size_t input, int64_t first, Tensor& own,
                             ScratchParts* scratch) {
  const Tensor& x = ctx.input(input);
  if (!ctx.has_input(kBias) || x.rank() == 4) return &x;
  if (scratch != nullptr) {
    own = scratch->take_tensor(x.dtype(), x.shape());
  } else {
    SDX_ASSIGN(own, Tensor::allocate(x.dtype(), x.shape()));
  }
  const Tensor& bias = ctx.input(kBias);
  const int64_t width = x.dim(2);
  if (x.dtype() == DType::f32 && x.rank() == 3) {
    const RowKernels kernels = row_kernels();
    for (int64_t row = 0; row < x.dim(0) * x.dim(1); ++row) {
      kernels.add(x.data<float>() + row * width, bias.data<float>() + first, nullptr, own.data<float>() + row * width,
                  static_cast<size_t>(width));
    }
    return &own;
  }
  const int64_t size = x.dim(x.rank() - 1), parts = x.rank() == 5 ? x.dim(3) : 1, heads = x.rank() == 5 ? x.dim(2) : 1;
  for (int64_t i = 0; i < x.count(); ++i) {
    const int64_t head = i / (size * parts) % heads, part = i / size % parts;
    store_double(own, i, load_double(x, i) + load_double(bias, first + (part * heads + head) * size + i % size));
  }
  return &own;
}

HeadView heads_in(const Tensor& x, int64_t size, int64_t part) {
  if (x.rank() == 4) return heads_first(x);
  if (x.rank() == 3) return heads_packed(x, size);
  const int64_t head = x.dim(3) * size, position = x.dim(2) * head;
  return {.tensor = &x, .offset = part * size, .batch = x.dim(1) * position, .head = head, .position = position};
}

// The past with the fresh rows in its spare room. The output may be the past's own memory.
void store_in_room(const Cache& cache, int64_t heads, int64_t fresh, Tensor& present) {
  const Tensor& past = *cache.past.tensor;
  const int64_t room = present.dim(2), size = present.dim(3), bytes = bit_width(present.dtype()) / 8;
  auto* out = static_cast<std::byte*>(present.raw());
  if (out != past.raw()) std::memmove(out, past.raw(), past.byte_size());
  for (int64_t i = 0; i < present.dim(0) * heads; ++i) {
    for (int64_t s = 0; s < fresh; ++s) {
      const int64_t from = cache.fresh.index(i / heads, i % heads, s, 0),
                    to = (i * room + cache.past_length + s) * size;
      std::memcpy(out + to * bytes, static_cast<const std::byte*>(cache.fresh.tensor->raw()) + from * bytes,
                  static_cast<size_t>(size * bytes));
    }
  }
}

}  // namespace

bool is_plain(const NodeFacts& facts) { return facts.has_input(kValue) && !facts.wants_output(3); }

Status run_multi_head_attention(KernelContext& ctx, AttendPath path) {
  const int64_t heads = ctx.attr_int("num_heads", 1);
  const Tensor& query = ctx.input(kQuery);
  const size_t key = ctx.has_input(kKey) ? kKey : kQuery, value = ctx.has_input(kValue) ? kValue : key;
  Tensor& y = ctx.output(0);
  MaskedAttention call;
  AttentionSizes& sizes = call.sizes;
  sizes.batch = query.dim(0);
  sizes.heads = sizes.kv_heads = heads;
  sizes.queries = query.dim(1);
  sizes.head_size = query.rank() == 5 ? query.dim(4) : query.dim(2) / heads;
  sizes.value_size = y.dim(2) / heads;
  const int64_t channels = heads * sizes.head_size;
  ScratchParts parts(ctx);
  ScratchParts* scratch = path == AttendPath::f32 ? &parts : nullptr;
  Tensor own_q, own_k, own_v;
  SDX_ASSIGN(const Tensor* q, biased(ctx, kQuery, 0, own_q, scratch));
  const Tensor *k = q, *v = q;
  if (key != kQuery) {
    SDX_ASSIGN(k, biased(ctx, kKey, channels, own_k, scratch));
    v = k;
  }
  if (value != key) {
    SDX_ASSIGN(v, biased(ctx, kValue, 2 * channels, own_v, scratch));
  }
  call.q = heads_in(*q, sizes.head_size, 0);
  call.k.fresh = heads_in(*k, sizes.head_size, key == kQuery ? 1 : 0);
  call.v.fresh = heads_in(*v, sizes.value_size, key == kQuery ? 2 : 1);
  call.y = heads_packed(y, sizes.value_size);
  if (ctx.has_input(kPastKey)) {
    call.k.past = heads_first(ctx.input(kPastKey));
    call.v.past = heads_first(ctx.input(kPastValue));
    call.k.past_length = call.v.past_length = ctx.input(kPastKey).dim(2);
  }
  const int64_t fresh = k->rank() == 4 ? k->dim(2) : k->dim(1);
  const bool has_room = ctx.has_input(kPastLength);
  if (has_room) {
    const int64_t room = ctx.input(kPastKey).dim(2);
    if (ctx.input(kPastLength).count() != 1)
      return invalid_argument("past_sequence_length has {} elements, one is wanted", ctx.input(kPastLength).count());
    const int64_t length = load_i64(ctx.input(kPastLength), 0);
    if (length < 0 || length > room - fresh)
      return invalid_argument("past_sequence_length is {}: {} fresh keys do not fit a cache of {}", length, fresh,
                              room);
    call.k.past_length = call.v.past_length = length;
  }
  sizes.keys = call.k.past_length + fresh;
  if (ctx.wants_output(3)) call.scores = &ctx.output(3);
  if (ctx.wants_output(1) && !has_room) call.present_k.tensor = &ctx.output(1);
  if (ctx.wants_output(2) && !has_room) call.present_v.tensor = &ctx.output(2);
  if (ctx.has_input(kMask)) call.mask = &ctx.input(kMask);
  if (ctx.has_input(kScoreBias)) call.bias = &ctx.input(kScoreBias);
  call.causal = ctx.attr_int("unidirectional", 0) != 0;
  call.filter = ctx.attr_float("mask_filter_value", -10000);
  call.scale = attention_scale(ctx.attributes(), sizes.head_size);
  SDX_TRY(masked_attention(ctx, call, path, scratch));
  if (ctx.wants_output(1) && has_room) store_in_room(call.k, heads, fresh, ctx.output(1));
  if (ctx.wants_output(2) && has_room) store_in_room(call.v, heads, fresh, ctx.output(2));
  return {};
}

Dim multi_head_attention_scratch(const ScratchFacts& facts) {
  ScratchSize size(facts);
  const NodeFacts& node = facts.node;
  for (const size_t i : {kQuery, kKey, kValue})
    if (node.has_input(kBias) && (!node.has_rank(i) || node.rank(i) == 3))
      size.part(size.input_count(i), sizeof(float));
  MaskedScratch call;
  if (node.has_input(kPastKey)) {
    const Dim keys = facts.symbols.add(size.input(kKey, -2), size.input(kPastKey, 2));
    const auto elements = [&](size_t past) {
      return size.product({size.input(past, 0), size.input(past, 1), keys, size.input(past, 3)});
    };
    if (!node.wants_output(1) || node.has_input(kPastLength)) call.key_elements = elements(kPastKey);
    if (!node.wants_output(2) || node.has_input(kPastLength)) call.value_elements = elements(kPastValue);
  }
  add_masked_scratch(size, call);
  return size.bytes();
}

SDX_OP(multi_head_attention) = {
    .name = "MultiHeadAttention",
    .domain = "com.microsoft",
    .infer = infer_multi_head_attention,
    .reference = [](KernelContext& ctx) { return run_multi_head_attention(ctx, AttendPath::reference); },
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
