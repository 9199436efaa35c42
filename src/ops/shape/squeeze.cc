// Squeeze: drops the dimensions of size 1 named by `axes`; all of them when axes is absent.
#include "ops/op.h"
#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_squeeze(InferContext& ctx) {
  const Fact& data = ctx.input(0);
  if (!data.has_rank()) return tensor_fact(data.dtype, std::nullopt);
  std::vector<bool> dropped(data.shape->size());
  if (ctx.has_input(1)) {
    const auto axes = ctx.known_elements(1);
    if (!axes) {
      const auto count = ctx.elements(1);
      if (!count) return tensor_fact(data.dtype, std::nullopt);
      const int rank = data.rank() - static_cast<int>(count->size());
      if (rank < 0) return ctx.fail("{} axes cannot leave an input of rank {}", count->size(), data.rank());
      ctx.leave_to_run();
      return tensor_fact(data.dtype, ctx.unknown_shape(rank));
    }
    SDX_ASSIGN(const Shape normal, unique_axes(*axes, data.rank()));
    for (const int64_t axis : normal) {
      const Dim& dim = data.dim(static_cast<int>(axis));
      if (dim.is_known() && dim.known() != 1) return ctx.fail("dimension {} is {}, not 1", axis, dim.known());
      ctx.assume({Constraint::Kind::equal, dim, Dim(1)});
      dropped[static_cast<size_t>(axis)] = true;
    }
  } else {
    for (size_t i = 0; i < dropped.size(); ++i) {
      if (!(*data.shape)[i].is_known()) return tensor_fact(data.dtype, std::nullopt);
      dropped[i] = (*data.shape)[i].is(1);
    }
  }
  SymShape shape;
  for (size_t i = 0; i < dropped.size(); ++i)
    if (!dropped[i]) shape.push_back((*data.shape)[i]);
  Fact fact = tensor_fact(data.dtype, std::move(shape));
  if (const auto* elements = tracked_elements(ctx, 0)) track(fact, *elements);
  return fact;
}

Status squeeze_reference(KernelContext& ctx) {
  ctx.set_output(0, ctx.input(0).reshaped(ctx.output_shape(0)));
  return {};
}

// Up to opset 12 the axes were an attribute.
Status squeeze_11_to_13(UpgradeContext& ctx) {
  ctx.attribute_to_input("axes", 1);
  return {};
}

}  // namespace

SDX_OP(squeeze) = {
    .name = "Squeeze",
    .since = 25,
    .infer = infer_squeeze,
    .reference = squeeze_reference,
    .upgrades = {{11, squeeze_11_to_13}},
    .records_constraints = true,
    .needs_values = input_bit(1),
    .view_of = 0,
};

}  // namespace sdx::ops
