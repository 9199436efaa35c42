// com.microsoft RotaryEmbedding: as the standard's, with positions at input 1: one a token, or one offset for all. A
// head is twice as wide as the tables' rows unless rotary_embedding_dim is given.
#include "ops/attention/rotary.h"
#include "ops/input_rules.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_ms_rotary(InferContext& ctx) {
  constexpr InputRule kRules[] = {{0, kShortFloats}, {1, set_of(DType::i64)}, {2, kShortFloats}, {3, kShortFloats}};
  SDX_TRY(check_inputs(ctx, kRules));
  if (ctx.has_rank(0) && ctx.rank(0) != 3 && ctx.rank(0) != 4)
    return ctx.fail("input has rank {}, 3 or 4 is wanted", ctx.rank(0));
  if (ctx.attr_int("rotary_embedding_dim", 0) > 0 && ctx.attr_int("num_heads", 0) < 1)
    return ctx.fail("rotary_embedding_dim wants num_heads");
  return infer_same_as_first(ctx);
}

}  // namespace

Result<RotaryCall> ms_rotary_call(const KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &positions = ctx.input(1), &cosines = ctx.input(2);
  if (cosines.rank() != 2) return invalid_argument("cos_cache has rank {}, 2 is wanted", cosines.rank());
  const bool packed = x.rank() == 3;
  const int64_t rotated = ctx.attr_int("rotary_embedding_dim", 0);
  RotaryCall call{
      .batch = x.dim(0), .positions = packed ? x.dim(1) : x.dim(2), .size = packed ? 2 * cosines.dim(1) : x.dim(3)};
  if (packed && rotated > 0) call.size = x.dim(2) / ctx.attr_int("num_heads", 1);
  if (call.size == 0 || (packed && x.dim(2) % call.size != 0))
    return invalid_argument("{} channels do not divide into heads of {}", x.dim(packed ? 2 : 3), call.size);
  call.heads = packed ? x.dim(2) / call.size : x.dim(1);
  SDX_ASSIGN(call.rotary, rotary_of(cosines, ctx.input(3), call.size, rotated, ctx.attr_int("interleaved", 0) != 0));
  call.view = packed ? heads_packed(x, call.size) : heads_first(x);
  const int64_t count = call.batch * call.positions;
  if (positions.count() != 1 && positions.count() != count)
    return invalid_argument("position_ids has shape {}, [1] or [{},{}] is wanted", to_text(positions.shape()), x.dim(0),
                            call.positions);
  const bool offset = positions.rank() == 1 && positions.count() == 1;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t given = load_i64(positions, offset ? 0 : i % positions.count()), s = i % call.positions;
    if (given < 0 || given >= cosines.dim(0) || (offset && s >= cosines.dim(0) - given))
      return invalid_argument("position_ids holds {}, the tables have {} rows", given, cosines.dim(0));
    call.rows.push_back(offset ? given + s : given);
  }
  return call;
}

SDX_OP(ms_rotary_embedding) = {
    .name = "RotaryEmbedding",
    .domain = "com.microsoft",
    .infer = infer_ms_rotary,
    .reference = [](KernelContext& ctx) -> Status {
      SDX_ASSIGN(const RotaryCall call, ms_rotary_call(ctx));
      return reference_rotary(ctx, call);
    },
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
