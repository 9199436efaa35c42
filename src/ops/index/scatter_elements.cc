// ScatterElements: a copy of the data in which each element of the updates replaces (or is merged into) the one at its
// own place, with the coordinate on the axis replaced by the index. Later updates win.
#include "ops/index/indices.h"
#include "ops/index/reduction.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_scatter_elements(InferContext& ctx) {
  const Fact &data = ctx.input(0), &indices = ctx.input(1), &updates = ctx.input(2);
  SDX_ASSIGN(const Reduction reduction, reduction_of(ctx.attributes()));
  SDX_TRY(check_reduction(reduction, data.dtype));
  if (data.has_rank()) {
    if (data.rank() == 0) return ctx.fail("the data is a scalar");
    SDX_TRY(ctx.axis(ctx.attr_int("axis", 0), data.rank()).status());
    for (const auto& [fact, what] : {std::pair(&indices, "indices"), std::pair(&updates, "updates")})
      if (fact->has_rank() && fact->rank() != data.rank())
        return ctx.fail("data has rank {}, {} have rank {}", data.rank(), what, fact->rank());
  }
  if (indices.has_rank() && updates.has_rank()) {
    if (indices.rank() != updates.rank())
      return ctx.fail("indices have rank {}, updates have rank {}", indices.rank(), updates.rank());
    for (int i = 0; i < indices.rank(); ++i)
      SDX_TRY(ctx.same(indices.dim(i), updates.dim(i), formatted("dimension {} of indices and updates", i)).status());
  }
  if (data.has_rank() && indices.has_rank())
    SDX_TRY(check_beside_axis(ctx, *normalize_axis(ctx.attr_int("axis", 0), data.rank())));
  return infer_same_as_first(ctx);
}

Status scatter_elements_reference(KernelContext& ctx) {
  const Tensor &data = ctx.input(0), &indices = ctx.input(1);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), data.rank()));
  SDX_ASSIGN(std::vector<int64_t> at, checked_indices(indices, data.shape()[axis]));
  const std::vector<int64_t> values = at;
  for_each_element_on_axis(data.shape(), indices.shape(), axis, values,
                           [&](int64_t to, int64_t i) { at[static_cast<size_t>(i)] = to; });
  SDX_ASSIGN(const Reduction reduction, reduction_of(ctx.attributes()));
  return scatter(ctx, data, ctx.input(2), at, reduction);
}

}  // namespace

SDX_OP(scatter_elements) = {
    .name = "ScatterElements",
    .since = 18,
    .infer = infer_scatter_elements,
    .reference = scatter_elements_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
