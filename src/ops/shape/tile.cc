// Tile: the input repeated repeats[i] times along each dimension i.
#include "ops/shape/tile.h"

#include "ops/reference.h"
#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_tile(InferContext& ctx) {
  const Fact& data = ctx.input(0);
  if (ctx.has_rank(1) && ctx.rank(1) != 1) return ctx.fail("repeats has rank {}, 1 is wanted", ctx.rank(1));
  const auto repeats = ctx.elements(1);
  if (!repeats)
    return tensor_fact(data.dtype, data.has_rank() ? std::optional(ctx.unknown_shape(data.rank())) : std::nullopt);
  if (!data.has_rank()) return tensor_fact(data.dtype, ctx.unknown_shape(static_cast<int>(repeats->size())));
  if (repeats->size() != data.shape->size())
    return ctx.fail("repeats has {} elements, the input has rank {}", repeats->size(), data.rank());
  SymShape shape;
  for (size_t i = 0; i < repeats->size(); ++i) {
    const Dim& times = (*repeats)[i];
    if (times.is_known() && times.known() < 0) return ctx.fail("repeats[{}] is {}, below 0", i, times.known());
    shape.push_back(ctx.symbols().is_nameable(times) ? ctx.symbols().mul((*data.shape)[i], ctx.size_of(times))
                                                     : ctx.unknown_dim());
    if (times.is_known() && (*data.shape)[i].is_known() && !shape.back().is_known())
      return ctx.fail("repeats[{}] is {}, more than can be counted", i, times.known());
  }
  Fact fact = tensor_fact(data.dtype, std::move(shape));
  if (const auto* values = tracked_elements(ctx, 0);
      values != nullptr && fact.rank() == 1 && (*repeats)[0].is_known()) {
    const auto times = static_cast<size_t>((*repeats)[0].known());
    std::vector<Dim> tiled;
    for (size_t k = 0; k < times && tiled.size() <= kMaxTrackedElements; ++k)
      tiled.insert(tiled.end(), values->begin(), values->end());
    track(fact, std::move(tiled));
  }
  return fact;
}

Status tile_reference(KernelContext& ctx) {
  return write_view(ctx, 0, ctx.input(0), tiled_view(ctx.input(0).shape(), read_ints(ctx.input(1))));
}

// Up to opset 5: `tiles` repetitions along one axis, both scalars of the input's type.
Status tile_1_to_6(UpgradeContext& ctx) {
  if (!ctx.has_input(1) || !ctx.has_input(2)) return ctx.fail("inputs tiles and axis are wanted");
  const auto as_i64 = [&](ValueId value, std::vector<int64_t> shape) {
    const ValueId cast = ctx.add("Cast", {value}, {attr("to", static_cast<int64_t>(DType::i64))});
    return ctx.add("Reshape", {cast, ctx.ints(shape)});
  };
  const ValueId rank = ctx.add("Size", {ctx.add("Shape", {ctx.input(0)})});
  const ValueId values =
      ctx.add("Concat", {ctx.ints(std::vector<int64_t>{1}), as_i64(ctx.input(1), {1})}, {attr("axis", 0)});
  const ValueId repeats = ctx.add("OneHot", {as_i64(ctx.input(2), {}), rank, values});
  ctx.become("Tile", {ctx.input(0), repeats});
  return {};
}

}  // namespace

SDX_OP(tile) = {
    .name = "Tile",
    .since = 13,
    .infer = infer_tile,
    .reference = tile_reference,
    .upgrades = {{1, tile_1_to_6}},
    .records_constraints = true,
    .needs_values = input_bit(1),
};

}  // namespace sdx::ops
