// ConstantOfShape: a tensor of the given shape filled with the one element of attribute `value` (float32 zero by
// default).
#include "ops/op.h"
#include "ops/reference.h"
#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_constant_of_shape(InferContext& ctx) {
  const auto* value = ctx.attributes().get<Tensor>("value");
  if (value != nullptr && value->count() != 1) return ctx.fail("value has {} elements, one is wanted", value->count());
  const DType type = value != nullptr ? value->dtype() : DType::f32;
  if (ctx.has_rank(0) && ctx.rank(0) != 1) return ctx.fail("the shape has rank {}, 1 is wanted", ctx.rank(0));
  const auto dims = ctx.elements(0);
  if (!dims) return tensor_fact(type, std::nullopt);
  SymShape shape;
  for (const Dim& dim : *dims) {
    if (dim.is_known() && dim.known() < 0) return ctx.fail("dimension {} is negative", dim.known());
    shape.push_back(ctx.size_of(dim));
  }
  Fact fact = tensor_fact(type, std::move(shape));
  if (value != nullptr && is_integer(type) && fact.rank() <= 1) {
    const Dim count = fact.rank() == 0 ? Dim(1) : fact.dim(0);
    if (count.is_known() && count.known() <= static_cast<int64_t>(kMaxTrackedElements))
      track(fact, std::vector<Dim>(static_cast<size_t>(count.known()), Dim(load_i64(*value, 0))));
  }
  return fact;
}

Status constant_of_shape_reference(KernelContext& ctx) {
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, ctx.output_shape(0)));
  const int64_t count = count_of(ctx.output_shape(0));
  if (const auto* value = ctx.attributes().get<Tensor>("value")) {
    writer.repeat(*value, 0, count);
  } else {
    writer.repeat(scalar_f32(0), 0, count);
  }
  return writer.finish();
}

}  // namespace

SDX_OP(constant_of_shape) = {
    .name = "ConstantOfShape",
    .since = 25,
    .infer = infer_constant_of_shape,
    .reference = constant_of_shape_reference,
    .records_constraints = true,
    .needs_values = input_bit(0),
};

}  // namespace sdx::ops
