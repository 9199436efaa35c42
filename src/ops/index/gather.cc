// Gather: slices of the data along an axis, picked by index: data[.., indices[..], ..].
#include "ops/index/indices.h"
#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

// The elements of a shape vector that constant indices pick.
std::optional<std::vector<Dim>> picked_elements(const InferContext& ctx) {
  const auto* values = tracked_elements(ctx, 0);
  const auto indices = ctx.known_elements(1);
  if (values == nullptr || !indices || ctx.rank(0) != 1) return std::nullopt;
  const auto size = static_cast<int64_t>(values->size());
  std::vector<Dim> picked;
  for (const int64_t index : *indices) {
    if (index < -size || index >= size) return std::nullopt;
    picked.push_back((*values)[static_cast<size_t>(index < 0 ? index + size : index)]);
  }
  return picked;
}

Result<Facts> infer_gather(InferContext& ctx) {
  const Fact &data = ctx.input(0), &indices = ctx.input(1);
  if (!data.has_rank()) return tensor_fact(data.dtype, std::nullopt);
  if (data.rank() == 0) return ctx.fail("the data is a scalar");
  SDX_ASSIGN(const int axis, ctx.axis(ctx.attr_int("axis", 0), data.rank()));
  if (!indices.has_rank()) return tensor_fact(data.dtype, std::nullopt);
  SymShape shape(data.shape->begin(), data.shape->begin() + axis);
  shape.insert(shape.end(), indices.shape->begin(), indices.shape->end());
  shape.insert(shape.end(), data.shape->begin() + axis + 1, data.shape->end());
  Fact fact = tensor_fact(data.dtype, std::move(shape));
  if (auto picked = picked_elements(ctx)) track(fact, *std::move(picked));
  return fact;
}

Status gather_reference(KernelContext& ctx) {
  const Tensor& data = ctx.input(0);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), data.rank()));
  const int64_t size = data.shape()[axis];
  SDX_ASSIGN(const std::vector<int64_t> indices, checked_indices(ctx.input(1), size));
  const int64_t outer = count_range(data.shape(), 0, axis),
                inner = count_range(data.shape(), axis + 1, data.shape().size());
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, ctx.output_shape(0)));
  for (int64_t row = 0; row < outer; ++row)
    for (const int64_t index : indices) writer.append(data, (row * size + index) * inner, inner);
  return writer.finish();
}

}  // namespace

SDX_OP(gather) = {
    .name = "Gather", .since = 13, .infer = infer_gather, .reference = gather_reference, .records_constraints = true};

}  // namespace sdx::ops
