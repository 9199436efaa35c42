// GroupQueryAttention for float32.
#include <cmath>
#include <cstring>

#include "ops/attention/attend_f32.h"
#include "ops/attention/group_query_attention.h"
#include "ops/attention/rotary_rows.h"

namespace sdx::ops {
namespace {

using gqa::Call;

Verdict takes_f32(const NodeFacts& facts) {
  if (facts.wants_output(3)) return no("the scores are wanted");
  return facts.dtype(gqa::kQuery) == DType::f32 ? yes() : no("only f32");
}

// `from` turned by row `row` of the tables.
void turn(const Rotary& rotary, int64_t row, const float* from, int64_t size, float* to) {
  const int64_t half = rotary.rotated / 2;
  const float *c = rotary.cosines->data<float>() + row * half, *s = rotary.sines->data<float>() + row * half;
  turn_row_f32(rotary.interleaved ? RotaryPairs::neighbours : RotaryPairs::half_apart)(c, s, from, to,
                                                                                       static_cast<size_t>(half));
  std::memcpy(to + rotary.rotated, from + rotary.rotated, static_cast<size_t>(size - rotary.rotated) * sizeof(float));
}

struct Turns {
  Rotary rotary;
  gqa::RotaryRows rows;
};
Result<std::optional<Turns>> turns_of(const KernelContext& ctx, const Call& call) {
  if (ctx.attr_int("do_rotary", 0) == 0) return std::optional<Turns>();
  Turns made;
  const Tensor& cosines = ctx.input(gqa::kCosines);
  const int64_t rotated = cosines.rank() == 2 ? 2 * cosines.dim(1) : -1;
  SDX_ASSIGN(made.rotary, rotary_of(cosines, ctx.input(gqa::kSines), call.size, rotated,
                                    ctx.attr_int("rotary_interleaved", 0) != 0));
  SDX_ASSIGN(made.rows, gqa::rotary_rows(ctx, call));
  return std::optional<Turns>(std::move(made));
}

// Keys or values in one piece: [batch, heads, length, size].
struct Present {
  HeadView fresh;
  const Turns* turns = nullptr;  // null: nothing turns
  const Tensor* past = nullptr;
  float* data = nullptr;
  int64_t heads = 0, length = 0;
  bool grows_in_place = false;
};

// The past, the fresh rows behind it, zeros beyond; only the fresh rows where it grows in place.
Status fill_present(KernelContext& ctx, const Call& call, const Present& present) {
  const int64_t heads = present.heads, size = call.size;
  const HeadRows rows = head_rows(present.fresh);
  const int64_t written = present.grows_in_place ? call.steps : present.length;
  const int64_t grain = std::max<int64_t>(1, 65536 / std::max<int64_t>(written * size, 1));
  return parallel_ranges(ctx, call.batch * heads, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t b = i / heads, h = i % heads, before = call.past[static_cast<size_t>(b)];
      float* to = present.data + i * present.length * size;
      for (int64_t s = 0; s < call.steps; ++s) {
        float* row = to + (before + s) * size;
        if (present.turns != nullptr) {
          turn(present.turns->rotary, present.turns->rows.at(call, b, s), rows.at(b, h, s), size, row);
        } else {
          std::memcpy(row, rows.at(b, h, s), static_cast<size_t>(size) * sizeof(float));
        }
      }
      if (present.grows_in_place) continue;
      if (before > 0)
        std::memcpy(to, present.past->data<float>() + i * present.past->dim(2) * size,
                    static_cast<size_t>(before * size) * sizeof(float));
      std::fill(to + (before + call.steps) * size, to + present.length * size, 0.0f);
    }
  });
}

// The present in its output, or in scratch memory.
Result<HeadRows> store_present(KernelContext& ctx, const Call& call, const gqa::Heads& heads, Present present,
                               size_t past, size_t output, ScratchParts& scratch) {
  if (ctx.has_input(past)) present.past = &ctx.input(past);
  present.heads = heads.kv;
  present.grows_in_place = gqa::grows_in_place(ctx, past, output);
  if (ctx.wants_output(output)) {
    present.length = call.present;
    present.data = ctx.output(output).data<float>();
  } else {
    present.length = std::min(call.present, call.most_keys());
    present.data = scratch.take<float>(call.batch * heads.kv * present.length * call.size).data();
  }
  SDX_TRY(fill_present(ctx, call, present));
  const int64_t head = present.length * call.size;
  return HeadRows{.data = present.data, .batch = heads.kv * head, .head = head, .position = call.size};
}

Result<HeadRows> turned_queries(KernelContext& ctx, const Call& call, int64_t heads, const Turns& turns,
                                const HeadRows& from, ScratchParts& scratch) {
  const int64_t size = call.size, row = heads * size;
  const HeadRows to{.data = scratch.take<float>(call.batch * call.steps * row).data(),
                    .batch = call.steps * row,
                    .head = size,
                    .position = row};
  SDX_TRY(parallel_ranges(ctx, call.batch * call.steps, 16, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t b = i / call.steps, s = i % call.steps, angles = turns.rows.at(call, b, s);
      for (int64_t h = 0; h < heads; ++h) turn(turns.rotary, angles, from.at(b, h, s), size, to.at(b, h, s));
    }
  }));
  return to;
}

Status run_group_query_attention(KernelContext& ctx) {
  SDX_ASSIGN(const gqa::Heads heads, gqa::heads_of(ctx.attributes()));
  SDX_ASSIGN(const Call call, gqa::call_of(ctx, heads));
  const gqa::Fresh fresh = gqa::fresh_of(ctx, heads, call);
  SDX_ASSIGN(const std::optional<Turns> turns, turns_of(ctx, call));
  const int64_t size = call.size;
  ScratchParts scratch(ctx);
  AttentionSizes sizes{.batch = call.batch,
                       .heads = heads.query,
                       .kv_heads = heads.kv,
                       .queries = call.steps,
                       .keys = call.present,
                       .head_size = size,
                       .value_size = size};
  std::optional<BroadcastMask> mask;
  if (ctx.has_input(gqa::kBias)) {
    SDX_ASSIGN(mask, BroadcastMask::create(ctx.input(gqa::kBias), sizes));
  }
  if (!ctx.wants_output(1)) sizes.keys = std::min(call.present, call.most_keys());
  AttendF32 attend{.sizes = sizes, .q = head_rows(fresh.q), .y = head_rows(heads_packed(ctx.output(0), size))};
  SDX_ASSIGN(attend.k, store_present(ctx, call, heads, {.fresh = fresh.k, .turns = turns ? &*turns : nullptr},
                                     gqa::kPastKey, 1, scratch));
  SDX_ASSIGN(attend.v, store_present(ctx, call, heads, {.fresh = fresh.v}, gqa::kPastValue, 2, scratch));
  if (turns) {
    SDX_ASSIGN(attend.q, turned_queries(ctx, call, heads.query, *turns, attend.q, scratch));
  }
  const float scale = ctx.attr_float("scale", 0);
  attend.scale = scale != 0 ? scale : static_cast<float>(1 / std::sqrt(static_cast<double>(size)));
  attend.softcap = ctx.attr_float("softcap", 0);
  const std::vector<float> zero_sinks(static_cast<size_t>(heads.query));
  if (ctx.has_input(gqa::kSink)) {
    if (ctx.input(gqa::kSink).count() != heads.query)
      return invalid_argument("head_sink has {} values, {} are wanted", ctx.input(gqa::kSink).count(), heads.query);
    attend.sinks = ctx.input(gqa::kSink).data<float>();
  } else if (ctx.attr_int("smooth_softmax", 0) == 1) {
    attend.sinks = zero_sinks.data();
  }
  const gqa::Window window = gqa::window_of(ctx.attributes());
  const auto range_of = [&](int64_t b, int64_t i) {
    const auto [first, end] = window.range(call, b, i);
    return KeyRange{first, end};
  };
  const FunctionRef<KeyRange(int64_t, int64_t)> range = range_of;
  attend.range = &range;
  const auto bias_of = [&](int64_t b, int64_t h, int64_t i, KeyRange keys, float* buffer) {
    return mask->row(b, h, i, keys.first, keys.end, buffer);
  };
  const FunctionRef<const float*(int64_t, int64_t, int64_t, KeyRange, float*)> bias = bias_of;
  if (mask) attend.bias = &bias;
  return attend_f32(ctx, attend, scratch);
}

Dim scratch_bytes(const ScratchFacts& facts) {
  ScratchSize size(facts);
  SymbolTable& symbols = facts.symbols;
  const auto heads = gqa::heads_of(facts.node.attributes());
  if (!heads.ok()) return Dim(0);
  const int64_t parts = facts.node.has_input(gqa::kKey) ? heads->query : heads->query + 2 * heads->kv;
  const Dim batch = size.input(gqa::kQuery, 0), steps = size.input(gqa::kQuery, 1);
  const Dim width = symbols.floor_div(size.input(gqa::kQuery, 2), Dim(parts));
  const Dim room = facts.node.has_input(gqa::kPastKey) ? size.input(gqa::kPastKey, 2) : Dim(0);
  const Dim most = symbols.add(room, steps);
  for (const size_t output : {1, 2})
    if (!facts.node.wants_output(output)) size.part(size.product({batch, Dim(heads->kv), most, width}), sizeof(float));
  if (facts.node.attr_int("do_rotary", 0) != 0)
    size.part(size.product({batch, steps, Dim(heads->query), width}), sizeof(float));
  return size.slots(Dim(attend_slot_bytes())).bytes();
}

}  // namespace

SDX_CPU_KERNELS(group_query_attention, {.name = "group_query_attention_f32",
                                        .can_run = takes_f32,
                                        .run = run_group_query_attention,
                                        .scratch_bytes = scratch_bytes,
                                        .shared_caches = {{gqa::kPastKey, 1}, {gqa::kPastValue, 2}}});

}  // namespace sdx::ops
