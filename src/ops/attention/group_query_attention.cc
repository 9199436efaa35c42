// GroupQueryAttention: causal attention with a cache. Sequence b holds seqlens_k[b] + 1 keys in all; the S fresh ones
// are its last (all of them where S equals total_sequence_length: the first prompt, whose shorter rows are padded at
// the end). The present cache is max(past's length, total_sequence_length) long, and 0 beyond what a sequence holds (as
// it was, where past and present share their memory). With local_window_size w a query sees the last w keys up to its
// own. smooth_softmax adds a score of 0 to each row, head_sink one
// of its own for each head. Output 3 is what goes into the softmax (qk_output = 1) or comes out of it (2), 0 where a
// query does not see a key. As onnxruntime 1.32 answers.
#include "ops/attention/group_query_attention.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "ops/input_rules.h"

namespace sdx::ops {
namespace gqa {

Result<Heads> heads_of(const Attributes& attributes) {
  const Heads made{attributes.get_int("num_heads", 0), attributes.get_int("kv_num_heads", 0)};
  if (made.kv < 1 || made.query < 1 || made.query % made.kv != 0)
    return invalid_argument("num_heads is {}, kv_num_heads is {}: a multiple of at least 1 is wanted", made.query,
                            made.kv);
  return made;
}

Result<Call> call_of(const KernelContext& ctx, const Heads& heads) {
  const Tensor& query = ctx.input(kQuery);
  Call made;
  made.batch = query.dim(0);
  made.steps = query.dim(1);
  made.size = query.dim(2) / (ctx.has_input(kKey) ? heads.query : heads.query + 2 * heads.kv);
  made.total = load_i64(ctx.input(kTotal), 0);
  made.present = ctx.has_input(kPastKey) ? std::max(made.total, ctx.input(kPastKey).dim(2)) : made.total;
  made.room = ctx.has_input(kPastKey) ? ctx.input(kPastKey).dim(2) : 0;
  if (ctx.input(kLengths).count() != made.batch)
    return invalid_argument("seqlens_k has {} values, {} are wanted", ctx.input(kLengths).count(), made.batch);
  for (int64_t b = 0; b < made.batch; ++b) {
    const int64_t length = load_i64(ctx.input(kLengths), b) + 1;
    const int64_t past = made.steps == made.total ? 0 : length - made.steps;
    if (past < 0 || past > made.room || past + made.steps > made.present || length > made.present)
      return invalid_argument("seqlens_k[{}] is {}: {} fresh keys do not fit a cache of {} behind a past of {}", b,
                              length - 1, made.steps, made.present, made.room);
    made.past.push_back(past);
    made.lengths.push_back(length);
  }
  return made;
}

Result<RotaryRows> rotary_rows(const KernelContext& ctx, const Call& call) {
  RotaryRows rows;
  const int64_t most = ctx.input(kCosines).dim(0);
  const bool given = ctx.has_input(kPositions);
  if (given && ctx.input(kPositions).count() != call.batch * call.steps)
    return invalid_argument("position_ids has shape {}, [{},{}] is wanted", to_text(ctx.input(kPositions).shape()),
                            call.batch, call.steps);
  if (given) rows.positions = &ctx.input(kPositions);
  for (int64_t b = 0; b < call.batch; ++b) {
    for (int64_t s = 0; s < call.steps; ++s) {
      const int64_t row = rows.at(call, b, s);
      if (row < 0 || row >= most)
        return invalid_argument("position {} is outside of cos_cache, which has {} rows", row, most);
    }
  }
  return rows;
}

bool grows_in_place(KernelContext& ctx, size_t past, size_t present) {
  return ctx.has_input(past) && ctx.wants_output(present) && ctx.output(present).raw() == ctx.input(past).raw() &&
         ctx.output(present).shape() == ctx.input(past).shape();
}

Fresh fresh_of(const KernelContext& ctx, const Heads& heads, const Call& call) {
  const Tensor& query = ctx.input(kQuery);
  const int64_t size = call.size;
  if (ctx.has_input(kKey))
    return {heads_packed(query, size), heads_packed(ctx.input(kKey), size), heads_packed(ctx.input(kValue), size)};
  return {heads_packed(query, size), heads_packed(query, size, heads.query * size),
          heads_packed(query, size, (heads.query + heads.kv) * size)};
}

Window window_of(const Attributes& attributes) {
  return {.causal = attributes.get_int("causal", 1) != 0, .size = attributes.get_int("local_window_size", -1)};
}

std::pair<int64_t, int64_t> Window::range(const Call& call, int64_t b, int64_t i) const {
  const int64_t own = call.past[static_cast<size_t>(b)] + i;
  int64_t first = 0, end = call.lengths[static_cast<size_t>(b)];
  if (causal) end = std::min(end, own + 1);
  if (size > 0) first = std::max<int64_t>(0, own - size + 1);
  return {first, std::max(first, end)};
}

}  // namespace gqa

namespace {

using namespace gqa;  // NOLINT: names of this operator alone

Status check_choices(const InferContext& ctx) {
  constexpr DTypeSet kT = kShortFloats, kIndex = set_of(DType::i32);
  constexpr InputRule kRules[] = {{kQuery, kT},
                                  {kKey, kT, kOptional},
                                  {kValue, kT, kOptional},
                                  {kPastKey, kT, kOptional},
                                  {kPastValue, kT, kOptional},
                                  {kLengths, kIndex},
                                  {kTotal, kIndex},
                                  {kCosines, kT, kOptional},
                                  {kSines, kT, kOptional},
                                  {kPositions, set_of(DType::i64), kOptional},
                                  {kBias, kT, kOptional},
                                  {kSink, kT, kOptional},
                                  {12, 0, kOptional},
                                  {13, 0, kOptional},
                                  {14, 0, kOptional},
                                  {15, 0, kOptional},
                                  {16, 0, kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));  // a quantized cache, norms and query lengths are not taken
  if (ctx.has_input(kKey) != ctx.has_input(kValue)) return ctx.fail("key and value must be given together");
  if (ctx.has_input(kPastKey) != ctx.has_input(kPastValue))
    return ctx.fail("past_key and past_value must be given together");
  if (ctx.attr_int("do_rotary", 0) != 0 && (!ctx.has_input(kCosines) || !ctx.has_input(kSines)))
    return ctx.fail("do_rotary wants cos_cache and sin_cache");
  const int64_t scores = ctx.attr_int("qk_output", 0);
  if (ctx.wants_output(3) && scores != 1 && scores != 2)
    return ctx.fail("attribute qk_output is {}: output_qk wants 1 or 2", scores);
  return {};
}

Result<Facts> infer_group_query_attention(InferContext& ctx) {
  SDX_TRY(check_choices(ctx));
  SDX_ASSIGN(const Heads heads, heads_of(ctx.attributes()));
  const DType type = ctx.dtype(kQuery);
  if (!ctx.has_rank(kQuery))
    return Facts({tensor_fact(type, ctx.unknown_shape(3)), tensor_fact(type, ctx.unknown_shape(4)),
                  tensor_fact(type, ctx.unknown_shape(4)), tensor_fact(type, ctx.unknown_shape(4))});
  if (ctx.rank(kQuery) != 3) return ctx.fail("query has rank {}, 3 is wanted", ctx.rank(kQuery));
  SymbolTable& symbols = ctx.symbols();
  const Dim &batch = ctx.dim(kQuery, 0), &steps = ctx.dim(kQuery, 1), &width = ctx.dim(kQuery, 2);
  const int64_t parts = ctx.has_input(kKey) ? heads.query : heads.query + 2 * heads.kv;
  if (width.is_known() && width.known() % parts != 0)
    return ctx.fail("query has {} channels, which do not divide into {} heads", width.known(), parts);
  ctx.assume({Constraint::Kind::divides, width, Dim(parts)});
  const Dim size = symbols.floor_div(width, Dim(parts)), kv_width = symbols.mul(Dim(heads.kv), size);
  for (const size_t i : {kKey, kValue}) {
    if (!ctx.has_input(i) || !ctx.has_rank(i)) continue;
    if (ctx.rank(i) != 3) return ctx.fail("input {} has rank {}, 3 is wanted", i, ctx.rank(i));
    SDX_TRY(ctx.same(batch, ctx.dim(i, 0), formatted("batch of input {}", i)).status());
    SDX_TRY(ctx.same(steps, ctx.dim(i, 1), formatted("sequence of input {}", i)).status());
    SDX_TRY(ctx.same(kv_width, ctx.dim(i, 2), formatted("channels of input {}", i)).status());
  }
  const auto total = ctx.elements(kTotal);
  if (total && total->size() != 1) return ctx.fail("total_sequence_length must be a scalar");
  Dim length = total ? (*total)[0] : ctx.unknown_dim();
  if (!length.is_known()) length = ctx.size_of(length);
  if (length.is_known() && length.known() < 0) return ctx.fail("total_sequence_length is {}", length.known());
  const Dim all_keys = length;
  for (const size_t i : {kPastKey, kPastValue}) {
    if (!ctx.has_input(i) || !ctx.has_rank(i)) continue;
    if (ctx.rank(i) != 4) return ctx.fail("input {} has rank {}, 4 is wanted", i, ctx.rank(i));
    const SymShape wanted{batch, Dim(heads.kv), ctx.dim(kPastKey, 2), size};
    for (size_t d = 0; d < 4; ++d)
      SDX_TRY(
          ctx.same(wanted[d], ctx.dim(i, static_cast<int>(d)), formatted("dimension {} of input {}", d, i)).status());
  }
  if (ctx.has_input(kPastKey))
    length = ctx.has_rank(kPastKey) ? symbols.max(length, ctx.dim(kPastKey, 2)) : ctx.unknown_dim();
  const SymShape present{batch, Dim(heads.kv), length, size};
  return Facts({tensor_fact(type, SymShape{batch, steps, symbols.mul(Dim(heads.query), size)}),
                tensor_fact(type, present), tensor_fact(type, present),
                tensor_fact(type, SymShape{batch, Dim(heads.query), steps, all_keys})});
}

Status group_query_attention_reference(KernelContext& ctx) {
  SDX_ASSIGN(const Heads heads, heads_of(ctx.attributes()));
  SDX_ASSIGN(const Call call, call_of(ctx, heads));
  const Tensor& query = ctx.input(kQuery);
  const int64_t size = call.size;
  const auto [q, k, v] = fresh_of(ctx, heads, call);

  Rotary rotary;
  RotaryRows rows;
  const bool rotates = ctx.attr_int("do_rotary", 0) != 0;
  if (rotates) {
    const Tensor& cosines = ctx.input(kCosines);
    const int64_t rotated = cosines.rank() == 2 ? 2 * cosines.dim(1) : -1;
    SDX_ASSIGN(rotary,
               rotary_of(cosines, ctx.input(kSines), size, rotated, ctx.attr_int("rotary_interleaved", 0) != 0));
    SDX_ASSIGN(rows, rotary_rows(ctx, call));
  }
  const auto turned = [&](const HeadView& x, int64_t b, int64_t h, int64_t s, int64_t d) {
    if (!rotates) return x.at(b, h, s, d);
    return rotary.at([&](int64_t c) { return x.at(b, h, s, c); }, rows.at(call, b, s), d);
  };

  const Shape present_shape{call.batch, heads.kv, call.present, size};
  SDX_ASSIGN(Tensor keys, Tensor::allocate(query.dtype(), present_shape));
  SDX_ASSIGN(Tensor values, Tensor::allocate(query.dtype(), present_shape));
  const bool keeps_keys = grows_in_place(ctx, kPastKey, 1), keeps_values = grows_in_place(ctx, kPastValue, 2);
  int64_t at = 0;
  for (int64_t b = 0; b < call.batch; ++b) {
    const int64_t past = call.past[static_cast<size_t>(b)];
    for (int64_t h = 0; h < heads.kv; ++h) {
      for (int64_t s = 0; s < call.present; ++s) {
        const bool fresh = s >= past && s < past + call.steps;
        for (int64_t d = 0; d < size; ++d, ++at) {
          const auto old = [&](size_t i, bool kept) {
            return s < past || kept ? heads_first(ctx.input(i)).at(b, h, s, d) : 0.0;
          };
          store_double(keys, at, fresh ? turned(k, b, h, s - past, d) : old(kPastKey, keeps_keys));
          store_double(values, at, fresh ? v.at(b, h, s - past, d) : old(kPastValue, keeps_values));
        }
      }
    }
  }
  SDX_ASSIGN(Tensor queries, Tensor::allocate(DType::f64, Shape{call.batch, heads.query, call.steps, size}));
  at = 0;
  for (int64_t b = 0; b < call.batch; ++b)
    for (int64_t h = 0; h < heads.query; ++h)
      for (int64_t s = 0; s < call.steps; ++s)
        for (int64_t d = 0; d < size; ++d) store_double(queries, at++, turned(q, b, h, s, d));

  const AttentionSizes sizes{.batch = call.batch,
                             .heads = heads.query,
                             .kv_heads = heads.kv,
                             .queries = call.steps,
                             .keys = call.present,
                             .head_size = size,
                             .value_size = size};
  AttentionOptions options;
  const double scale = ctx.attr_float("scale", 0);
  options.scale = scale != 0 ? scale : 1 / std::sqrt(static_cast<double>(size));
  options.softcap = ctx.attr_float("softcap", 0);
  if (ctx.has_input(kSink)) {
    if (ctx.input(kSink).count() != heads.query)
      return invalid_argument("head_sink has {} values, {} are wanted", ctx.input(kSink).count(), heads.query);
    for (int64_t h = 0; h < heads.query; ++h) options.sinks.push_back(load_double(ctx.input(kSink), h));
  } else if (ctx.attr_int("smooth_softmax", 0) == 1) {
    options.sinks.assign(static_cast<size_t>(heads.query), 0.0);
  }
  std::optional<BroadcastMask> mask;
  if (ctx.has_input(kBias)) {
    SDX_ASSIGN(mask, BroadcastMask::create(ctx.input(kBias), sizes));
  }
  const Window window = window_of(ctx.attributes());
  const auto bias = [&](int64_t b, int64_t h, int64_t i, int64_t j) {
    const auto [first, end] = window.range(call, b, i);
    if (j < first || j >= end) return -std::numeric_limits<double>::infinity();
    return mask ? mask->at(b, h, i, j) : 0.0;
  };
  Tensor scores;
  if (ctx.wants_output(3)) {
    SDX_ASSIGN(scores, Tensor::allocate(DType::f64, Shape{call.batch, heads.query, call.steps, call.present}));
    options.scores = &scores;
    options.stage = ctx.attr_int("qk_output", 0) == 1 ? ScoreStage::biased : ScoreStage::probabilities;
  }
  SDX_TRY(attend(ctx, sizes, heads_first(queries), {{}, heads_first(keys), 0}, {{}, heads_first(values), 0}, bias,
                 options, ctx.output(0), heads_packed(ctx.output(0), size)));
  for (int64_t i = 0; ctx.wants_output(3) && i < ctx.output(3).count(); ++i) {
    const double score = scores.data<double>()[i / call.total * call.present + i % call.total];
    store_double(ctx.output(3), i, std::isinf(score) ? 0 : score);
  }
  if (ctx.wants_output(1)) std::memcpy(ctx.output(1).raw(), keys.raw(), keys.byte_size());
  if (ctx.wants_output(2)) std::memcpy(ctx.output(2).raw(), values.raw(), values.byte_size());
  return {};
}

}  // namespace

SDX_OP(group_query_attention) = {
    .name = "GroupQueryAttention",
    .domain = "com.microsoft",
    .infer = infer_group_query_attention,
    .reference = group_query_attention_reference,
    .records_constraints = true,
    .needs_values = input_bit(kTotal),
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
