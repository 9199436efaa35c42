// Expand: the input broadcast together with a shape, so a 1 in the shape keeps the input's dimension.
#include "ops/shape/expand.h"

#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_expand(InferContext& ctx) {
  const Fact& data = ctx.input(0);
  if (ctx.has_rank(1) && ctx.rank(1) != 1) return ctx.fail("the shape has rank {}, 1 is wanted", ctx.rank(1));
  const auto elements = ctx.elements(1);
  if (!elements || !data.has_rank()) return tensor_fact(data.dtype, std::nullopt);
  SymShape target;
  for (const Dim& dim : *elements) {
    if (dim.is_known() && dim.known() < 0) return ctx.fail("shape holds {}, below 0", dim.known());
    target.push_back(ctx.size_of(dim));
  }
  SDX_ASSIGN(SymShape shape, ctx.broadcast(*data.shape, target));
  Fact fact = tensor_fact(data.dtype, std::move(shape));
  if (const auto* values = tracked_elements(ctx, 0); values != nullptr && fact.rank() <= 1) {
    const int64_t count = fact.rank() == 0 ? 1 : fact.dim(0).is_known() ? fact.dim(0).known() : -1;
    if (count == static_cast<int64_t>(values->size()))
      track(fact, *values);
    else if (values->size() == 1 && count >= 0 && count <= static_cast<int64_t>(kMaxTrackedElements))
      track(fact, std::vector<Dim>(static_cast<size_t>(count), (*values)[0]));
  }
  return fact;
}

Status expand_reference(KernelContext& ctx) {
  return write_view(ctx, 0, ctx.input(0), broadcast_view(ctx.input(0).shape(), ctx.output_shape(0)));
}

}  // namespace

SDX_OP(expand) = {
    .name = "Expand",
    .since = 13,
    .infer = infer_expand,
    .reference = expand_reference,
    .records_constraints = true,
    .needs_values = input_bit(1),
};

}  // namespace sdx::ops
