// Unsqueeze: inserts dimensions of size 1 at the places that `axes` names in the result.
#include "ops/op.h"
#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_unsqueeze(InferContext& ctx) {
  const Fact& data = ctx.input(0);
  const auto count = ctx.elements(1);
  if (!data.has_rank() || !count) return tensor_fact(data.dtype, std::nullopt);
  const int rank = data.rank() + static_cast<int>(count->size());
  const auto axes = ctx.known_elements(1);
  if (!axes) {
    ctx.leave_to_run();
    return tensor_fact(data.dtype, ctx.unknown_shape(rank));
  }
  SDX_ASSIGN(const Shape normal, unique_axes(*axes, rank));
  std::vector<bool> added(static_cast<size_t>(rank));
  for (const int64_t axis : normal) added[static_cast<size_t>(axis)] = true;
  SymShape shape;
  auto next = data.shape->begin();
  for (const bool one : added) shape.push_back(one ? Dim(1) : *next++);
  Fact fact = tensor_fact(data.dtype, std::move(shape));
  if (const auto* elements = tracked_elements(ctx, 0)) track(fact, *elements);
  return fact;
}

Status unsqueeze_reference(KernelContext& ctx) {
  ctx.set_output(0, ctx.input(0).reshaped(ctx.output_shape(0)));
  return {};
}

// Up to opset 12 the axes were an attribute.
Status unsqueeze_11_to_13(UpgradeContext& ctx) {
  ctx.attribute_to_input("axes", 1);
  return {};
}

}  // namespace

SDX_OP(unsqueeze) = {
    .name = "Unsqueeze",
    .since = 25,
    .infer = infer_unsqueeze,
    .reference = unsqueeze_reference,
    .upgrades = {{11, unsqueeze_11_to_13}},
    .records_constraints = true,
    .needs_values = input_bit(1),
    .view_of = 0,
};

}  // namespace sdx::ops
