// RotaryEmbedding: y1 = cos * x1 - sin * x2, y2 = sin * x1 + cos * x2 for pairs of channels of each head; the tables'
// row is that of the position, or the position itself where position_ids are absent.
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

Status rotary_embedding_reference(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &cosines = ctx.input(1);
  Tensor& y = ctx.output(0);
  const bool packed = x.rank() == 3;
  const int64_t heads = packed ? ctx.attr_int("num_heads", 1) : x.dim(1);
  const int64_t positions = packed ? x.dim(1) : x.dim(2), size = packed ? x.dim(2) / heads : x.dim(3);
  SDX_ASSIGN(const Rotary rotary, rotary_of(cosines, ctx.input(2), size, ctx.attr_int("rotary_embedding_dim", 0),
                                            ctx.attr_int("interleaved", 0) != 0));
  const HeadView view = packed ? heads_packed(x, size) : heads_first(x);
  if (ctx.has_input(3) && ctx.input(3).count() != x.dim(0) * positions)
    return invalid_argument("position_ids has shape {}, [{},{}] is wanted", to_text(ctx.input(3).shape()), x.dim(0),
                            positions);
  if (!ctx.has_input(3) && (cosines.dim(0) != x.dim(0) || cosines.dim(1) != positions))
    return invalid_argument("cos_cache has shape {}, [{},{},...] is wanted", to_text(cosines.shape()), x.dim(0),
                            positions);
  for (int64_t b = 0; b < x.dim(0); ++b) {
    for (int64_t s = 0; s < positions; ++s) {
      int64_t row = b * positions + s;
      if (ctx.has_input(3)) {
        const int64_t at = load_i64(ctx.input(3), row);
        if (at < -cosines.dim(0) || at >= cosines.dim(0))
          return invalid_argument("position_ids holds {}, the tables have {} rows", at, cosines.dim(0));
        row = at < 0 ? at + cosines.dim(0) : at;
      }
      for (int64_t h = 0; h < heads; ++h)
        for (int64_t d = 0; d < size; ++d)
          store_double(y, view.index(b, h, s, d), rotary.at([&](int64_t c) { return view.at(b, h, s, c); }, row, d));
    }
  }
  return {};
}

}  // namespace

SDX_OP(rotary_embedding) = {
    .name = "RotaryEmbedding",
    .since = 23,
    .infer = infer_rotary_embedding,
    .reference = rotary_embedding_reference,
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
