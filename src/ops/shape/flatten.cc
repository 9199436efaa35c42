// Flatten: a matrix: the dimensions before `axis` by those from it on.
#include "ops/op.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_flatten(InferContext& ctx) {
  const Fact& data = ctx.input(0);
  if (!data.has_rank()) return tensor_fact(data.dtype, ctx.unknown_shape(2));
  const int64_t given = ctx.attr_int("axis", 1), rank = data.rank();
  if (given < -rank || given > rank) return ctx.fail("axis {} is outside [-{}, {}]", given, rank, rank);
  const int64_t axis = given < 0 ? given + rank : given;
  Dim rows(1), columns(1);
  for (int i = 0; i < data.rank(); ++i) {
    Dim& side = i < axis ? rows : columns;
    side = ctx.symbols().mul(side, data.dim(i));
  }
  return tensor_fact(data.dtype, SymShape{rows, columns});
}

Status flatten_reference(KernelContext& ctx) {
  ctx.set_output(0, ctx.input(0).reshaped(ctx.output_shape(0)));
  return {};
}

}  // namespace

SDX_OP(flatten) = {.name = "Flatten",
                   .since = 25,
                   .infer = infer_flatten,
                   .reference = flatten_reference,
                   .records_constraints = true,
                   .view_of = 0};

}  // namespace sdx::ops
