// ScatterND: a copy of the data in which slices, named by coordinates in the last dimension of the indices, are
// replaced by (or merged with) the updates. Later updates win.
#include "ops/index/indices.h"
#include "ops/index/reduction.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_scatter_nd(InferContext& ctx) {
  const Fact &data = ctx.input(0), &indices = ctx.input(1), &updates = ctx.input(2);
  SDX_ASSIGN(const Reduction reduction, reduction_of(ctx.attributes()));
  SDX_TRY(check_reduction(reduction, data.dtype));
  if (!data.has_rank() || !indices.has_rank()) return infer_same_as_first(ctx);
  if (data.rank() == 0 || indices.rank() == 0) return ctx.fail("data and indices must not be scalars");
  const Dim& width = indices.dim(indices.rank() - 1);
  if (!width.is_known()) {
    ctx.leave_to_run();
    return infer_same_as_first(ctx);
  }
  if (width.known() > data.rank())
    return ctx.fail("indices hold {} coordinates, the data has rank {}", width.known(), data.rank());
  if (!updates.has_rank()) return infer_same_as_first(ctx);
  SymShape wanted(indices.shape->begin(), indices.shape->end() - 1);
  wanted.insert(wanted.end(), data.shape->begin() + width.known(), data.shape->end());
  if (wanted.size() != updates.shape->size())
    return ctx.fail("updates have rank {}, {} is wanted", updates.rank(), wanted.size());
  for (int i = 0; i < updates.rank(); ++i)
    SDX_TRY(
        ctx.same(updates.dim(i), wanted[static_cast<size_t>(i)], formatted("dimension {} of the updates", i)).status());
  return infer_same_as_first(ctx);
}

Status scatter_nd_reference(KernelContext& ctx) {
  const Tensor &data = ctx.input(0), &indices = ctx.input(1);
  const int64_t width = indices.shape().back();
  const int64_t size = count_range(data.shape(), static_cast<size_t>(width), data.shape().size());
  SDX_ASSIGN(const std::vector<int64_t> tuples, checked_tuples(indices, width, data.shape()));
  std::vector<int64_t> at;
  at.reserve(static_cast<size_t>(ctx.input(2).count()));
  for (const int64_t tuple : tuples)
    for (int64_t i = 0; i < size; ++i) at.push_back(tuple * size + i);
  SDX_ASSIGN(const Reduction reduction, reduction_of(ctx.attributes()));
  return scatter(ctx, data, ctx.input(2), at, reduction);
}

}  // namespace

SDX_OP(scatter_nd) = {
    .name = "ScatterND",
    .since = 18,
    .infer = infer_scatter_nd,
    .reference = scatter_nd_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
