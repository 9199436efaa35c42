// GroupQueryAttention for float32.
#include <cmath>
#include <cstring>

#include "ops/attention/attend_f32.h"
#include "ops/attention/group_query_attention.h"

namespace sdx::ops {
namespace {

using gqa::Call;

Verdict takes_f32(const NodeFacts& facts) { return facts.dtype(gqa::kQuery) == DType::f32 ? yes() : no("only f32"); }

// `from` turned by row `row` of the tables.
void turn(const Rotary& rotary, int64_t row, const float* from, int64_t size, float* to) {
  const int64_t half = rotary.rotated / 2;
  const float *c = rotary.cosines->data<float>() + row * half, *s = rotary.sines->data<float>() + row * half;
  for (int64_t i = 0; i < half; ++i) {
    const int64_t first = rotary.interleaved ? 2 * i : i, second = rotary.interleaved ? 2 * i + 1 : i + half;
    const float x1 = from[first], x2 = from[second];
    to[first] = c[i] * x1 - s[i] * x2;
    to[second] = s[i] * x1 + c[i] * x2;
  }
  std::memcpy(to + rotary.rotated, from + rotary.rotated, static_cast<size_t>(size - rotary.rotated) * sizeof(float));
}

struct Turns {
  Rotary rotary;
  std::vector<int64_t> rows;  // empty: nothing turns
};
Result<Turns> turns_of(const KernelContext& ctx, const Call& call) {
  Turns made;
  if (ctx.attr_int("do_rotary", 0) == 0) return made;
  const Tensor& cosines = ctx.input(gqa::kCosines);
  const int64_t rotated = cosines.rank() == 2 ? 2 * cosines.dim(1) : -1;
  SDX_ASSIGN(made.rotary, rotary_of(cosines, ctx.input(gqa::kSines), call.size, rotated,
                                    ctx.attr_int("rotary_interleaved", 0) != 0));
  SDX_ASSIGN(made.rows, gqa::rotary_rows(ctx, call));
  return made;
}

// The past, the fresh rows behind it, zeros beyond.
Status fill_present(KernelContext& ctx, const Call& call, const HeadView& fresh, const Tensor* past, const Turns* turns,
                    Tensor& present) {
  const int64_t heads = present.dim(1), size = call.size;
  const HeadRows rows = head_rows(fresh);
  const int64_t grain = std::max<int64_t>(1, 65536 / std::max<int64_t>(call.present * size, 1));
  return parallel_ranges(ctx, call.batch * heads, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t b = i / heads, h = i % heads, before = call.past[static_cast<size_t>(b)];
      float* to = present.data<float>() + i * call.present * size;
      if (before > 0)
        std::memcpy(to, past->data<float>() + i * past->dim(2) * size,
                    static_cast<size_t>(before * size) * sizeof(float));
      for (int64_t s = 0; s < call.steps; ++s) {
        float* row = to + (before + s) * size;
        if (turns != nullptr && !turns->rows.empty()) {
          turn(turns->rotary, turns->rows[static_cast<size_t>(b * call.steps + s)], rows.at(b, h, s), size, row);
        } else {
          std::memcpy(row, rows.at(b, h, s), static_cast<size_t>(size) * sizeof(float));
        }
      }
      std::fill(to + (before + call.steps) * size, to + call.present * size, 0.0f);
    }
  });
}

Status run_group_query_attention(KernelContext& ctx) {
  SDX_ASSIGN(const gqa::Heads heads, gqa::heads_of(ctx.attributes()));
  SDX_ASSIGN(const Call call, gqa::call_of(ctx, heads));
  const gqa::Fresh fresh = gqa::fresh_of(ctx, heads, call);
  SDX_ASSIGN(const Turns turns, turns_of(ctx, call));
  const int64_t size = call.size;
  const Shape present_shape{call.batch, heads.kv, call.present, size};
  SDX_ASSIGN(Tensor keys, Tensor::allocate(DType::f32, present_shape));
  SDX_ASSIGN(Tensor values, Tensor::allocate(DType::f32, present_shape));
  const auto past = [&](size_t i) { return ctx.has_input(i) ? &ctx.input(i) : nullptr; };
  SDX_TRY(fill_present(ctx, call, fresh.k, past(gqa::kPastKey), &turns, keys));
  SDX_TRY(fill_present(ctx, call, fresh.v, past(gqa::kPastValue), nullptr, values));

  const AttentionSizes sizes{.batch = call.batch,
                             .heads = heads.query,
                             .kv_heads = heads.kv,
                             .queries = call.steps,
                             .keys = call.present,
                             .head_size = size,
                             .value_size = size};
  AttendF32 attend{.sizes = sizes, .q = head_rows(fresh.q), .y = head_rows(heads_packed(ctx.output(0), size))};
  attend.k = head_rows(heads_first(keys));
  attend.v = head_rows(heads_first(values));
  Tensor queries;
  if (!turns.rows.empty()) {
    SDX_ASSIGN(queries, Tensor::allocate(DType::f32, Shape{call.batch, call.steps, heads.query * size}));
    const HeadRows from = attend.q, to = head_rows(heads_packed(queries, size));
    SDX_TRY(parallel_ranges(ctx, call.batch * call.steps, 16, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        for (int64_t h = 0; h < heads.query; ++h)
          turn(turns.rotary, turns.rows[static_cast<size_t>(i)], from.at(i / call.steps, h, i % call.steps), size,
               to.at(i / call.steps, h, i % call.steps));
    }));
    attend.q = to;
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
  std::optional<BroadcastMask> mask;
  if (ctx.has_input(gqa::kBias)) {
    SDX_ASSIGN(mask, BroadcastMask::create(ctx.input(gqa::kBias), sizes));
  }
  const gqa::Window window = gqa::window_of(ctx.attributes());
  const auto range_of = [&](int64_t b, int64_t i) {
    const auto [first, end] = window.range(call, b, i);
    return KeyRange{first, end};
  };
  const FunctionRef<KeyRange(int64_t, int64_t)> range = range_of;
  attend.range = &range;
  const auto bias_of = [&](int64_t b, int64_t h, int64_t i, float* buffer) {
    return mask->row(b, h, i, sizes.keys, buffer);
  };
  const FunctionRef<const float*(int64_t, int64_t, int64_t, float*)> bias = bias_of;
  if (mask) attend.bias = &bias;
  SDX_TRY(attend_f32(ctx, attend));
  if (ctx.wants_output(1)) ctx.set_output(1, std::move(keys));
  if (ctx.wants_output(2)) ctx.set_output(2, std::move(values));
  return {};
}

}  // namespace

SDX_CPU_KERNELS(group_query_attention,
                {.name = "group_query_attention_f32", .can_run = takes_f32, .run = run_group_query_attention});

}  // namespace sdx::ops
