#include "ops/pool/regions.h"

namespace sdx::ops {

Result<Fact> infer_regions(InferContext& ctx, int64_t fields, int64_t height, int64_t width) {
  SymShape shape = ctx.unknown_shape(4);
  shape[2] = Dim(height);
  shape[3] = Dim(width);
  if (ctx.has_rank(0)) {
    if (ctx.rank(0) != 4) return ctx.fail("x has rank {}; 4 is wanted", ctx.rank(0));
    shape[1] = ctx.dim(0, 1);
  }
  if (ctx.has_rank(1)) {
    if (ctx.rank(1) != 2) return ctx.fail("rois has rank {}; 2 is wanted", ctx.rank(1));
    SDX_TRY(ctx.same(ctx.dim(1, 1), Dim(fields), "columns of rois and fields of a region").status());
    shape[0] = ctx.dim(1, 0);
  }
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

}  // namespace sdx::ops
