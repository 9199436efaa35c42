// GatherElements: the output has the shape of the indices; each of its elements comes from the data at its own place,
// with the coordinate on the axis replaced by the index.
#include "ops/index/indices.h"
#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_gather_elements(InferContext& ctx) {
  const Fact &data = ctx.input(0), &indices = ctx.input(1);
  if (!data.has_rank() || !indices.has_rank()) return tensor_fact(data.dtype, indices.shape);
  if (data.rank() != indices.rank())
    return ctx.fail("data has rank {}, indices have rank {}", data.rank(), indices.rank());
  SDX_ASSIGN(const int axis, ctx.axis(ctx.attr_int("axis", 0), data.rank()));
  SDX_TRY(check_beside_axis(ctx, axis));
  return tensor_fact(data.dtype, indices.shape);
}

Status gather_elements_reference(KernelContext& ctx) {
  const Tensor &data = ctx.input(0), &indices = ctx.input(1);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), data.rank()));
  SDX_ASSIGN(const std::vector<int64_t> values, checked_indices(indices, data.shape()[axis]));
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, indices.shape()));
  for_each_element_on_axis(data.shape(), indices.shape(), axis, values,
                           [&](int64_t from, int64_t) { writer.append(data, from); });
  return writer.finish();
}

}  // namespace

SDX_OP(gather_elements) = {
    .name = "GatherElements",
    .since = 13,
    .infer = infer_gather_elements,
    .reference = gather_elements_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
