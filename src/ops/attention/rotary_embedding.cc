// RotaryEmbedding: y1 = cos * x1 - sin * x2, y2 = sin * x1 + cos * x2 for pairs of channels of each head; the tables'
// row is that of the position, or the position itself where position_ids are absent. Such tables may serve the whole
// batch, [1, positions, ..]: torch's exporter writes them so, and onnx.reference broadcasts.
#include "ops/attention/rotary.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_rotary_embedding(InferContext& ctx) {
  if (ctx.has_rank(0)) {
    if (ctx.rank(0) != 3 && ctx.rank(0) != 4) return ctx.fail("X has rank {}, 3 or 4 is wanted", ctx.rank(0));
    const int64_t heads = ctx.attr_int("num_heads", 0);
    if (ctx.rank(0) == 3 && heads < 1)
      return ctx.fail("attribute num_heads is {}: X of rank 3 wants at least 1", heads);
    if (ctx.rank(0) == 3 && ctx.dim(0, 2).is_known() && ctx.dim(0, 2).known() % heads != 0)
      return ctx.fail("{} channels do not divide into {} heads", ctx.dim(0, 2).known(), heads);
    if (ctx.rank(0) == 3) ctx.assume({Constraint::Kind::divides, ctx.dim(0, 2), Dim(heads)});
  }
  const int table_rank = ctx.has_input(3) ? 2 : 3;
  for (const size_t table : {1, 2})
    if (ctx.has_rank(table) && ctx.rank(table) != table_rank)
      return ctx.fail("input {} has rank {}, {} is wanted {} position_ids", table, ctx.rank(table), table_rank,
                      ctx.has_input(3) ? "with" : "without");
  return infer_same_as_first(ctx);
}

}  // namespace

Result<RotaryCall> rotary_call(const KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &cosines = ctx.input(1);
  const bool packed = x.rank() == 3;
  RotaryCall call{.batch = x.dim(0),
                  .heads = packed ? ctx.attr_int("num_heads", 1) : x.dim(1),
                  .positions = packed ? x.dim(1) : x.dim(2)};
  call.size = packed ? x.dim(2) / call.heads : x.dim(3);
  SDX_ASSIGN(call.rotary, rotary_of(cosines, ctx.input(2), call.size, ctx.attr_int("rotary_embedding_dim", 0),
                                    ctx.attr_int("interleaved", 0) != 0));
  call.view = packed ? heads_packed(x, call.size) : heads_first(x);
  const int64_t count = call.batch * call.positions;
  if (ctx.has_input(3) && ctx.input(3).count() != count)
    return invalid_argument("position_ids has shape {}, [{},{}] is wanted", to_text(ctx.input(3).shape()), x.dim(0),
                            call.positions);
  const bool serves_all = !ctx.has_input(3) && cosines.dim(0) == 1;
  if (!ctx.has_input(3) && ((cosines.dim(0) != x.dim(0) && !serves_all) || cosines.dim(1) != call.positions))
    return invalid_argument("cos_cache has shape {}, [{},{},...] is wanted", to_text(cosines.shape()), x.dim(0),
                            call.positions);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t own = serves_all ? i % call.positions : i;
    const int64_t at = ctx.has_input(3) ? load_i64(ctx.input(3), i) : own;
    if (ctx.has_input(3) && (at < -cosines.dim(0) || at >= cosines.dim(0)))
      return invalid_argument("position_ids holds {}, the tables have {} rows", at, cosines.dim(0));
    call.rows.push_back(at < 0 ? at + cosines.dim(0) : at);
  }
  return call;
}

SDX_OP(rotary_embedding) = {
    .name = "RotaryEmbedding",
    .since = 23,
    .infer = infer_rotary_embedding,
    .reference = [](KernelContext& ctx) -> Status {
      SDX_ASSIGN(const RotaryCall call, rotary_call(ctx));
      return reference_rotary(ctx, call);
    },
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
