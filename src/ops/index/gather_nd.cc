// GatherND: the last dimension of the indices holds coordinates into the leading dimensions of the data (after
// batch_dims shared ones); the slices they name are gathered.
#include "ops/index/indices.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_gather_nd(InferContext& ctx) {
  const Fact &data = ctx.input(0), &indices = ctx.input(1);
  const int64_t batch = ctx.attr_int("batch_dims", 0);
  if (batch < 0) return ctx.fail("batch_dims is {}, below 0", batch);
  if (!data.has_rank() || !indices.has_rank()) return tensor_fact(data.dtype, std::nullopt);
  if (data.rank() == 0 || indices.rank() == 0) return ctx.fail("data and indices must not be scalars");
  if (batch >= std::min(data.rank(), indices.rank()))
    return ctx.fail("batch_dims is {}, not below the ranks {} and {}", batch, data.rank(), indices.rank());
  SymShape shape;
  for (int i = 0; i < batch; ++i) {
    SDX_ASSIGN(Dim dim, ctx.same(data.dim(i), indices.dim(i), formatted("batch dimension {}", i)));
    shape.push_back(dim);
  }
  for (int i = static_cast<int>(batch); i + 1 < indices.rank(); ++i) shape.push_back(indices.dim(i));
  const Dim& width = indices.dim(indices.rank() - 1);
  if (!width.is_known()) return tensor_fact(data.dtype, std::nullopt);
  if (width.known() > data.rank() - batch)
    return ctx.fail("indices hold {} coordinates, the data has {} dimensions after the batch", width.known(),
                    data.rank() - batch);
  for (int i = static_cast<int>(batch + width.known()); i < data.rank(); ++i) shape.push_back(data.dim(i));
  return tensor_fact(data.dtype, std::move(shape));
}

Status gather_nd_reference(KernelContext& ctx) {
  const Tensor &data = ctx.input(0), &indices = ctx.input(1);
  const auto batch = static_cast<size_t>(ctx.attr_int("batch_dims", 0));
  const int64_t width = indices.shape().back();
  const std::span<const int64_t> shape = data.shape();
  const auto inner_from = batch + static_cast<size_t>(width);
  const int64_t batches = count_range(shape, 0, batch), batch_size = count_range(shape, batch, inner_from);
  const int64_t size = count_range(shape, inner_from, shape.size());
  SDX_ASSIGN(const std::vector<int64_t> tuples, checked_tuples(indices, width, shape.subspan(batch)));
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, ctx.output_shape(0)));
  const size_t per_batch = batches == 0 ? 0 : tuples.size() / static_cast<size_t>(batches);
  for (size_t i = 0; i < tuples.size() && per_batch > 0; ++i)
    writer.append(data, (static_cast<int64_t>(i / per_batch) * batch_size + tuples[i]) * size, size);
  return writer.finish();
}

}  // namespace

SDX_OP(gather_nd) = {.name = "GatherND",
                     .since = 13,
                     .infer = infer_gather_nd,
                     .reference = gather_nd_reference,
                     .records_constraints = true};

}  // namespace sdx::ops
