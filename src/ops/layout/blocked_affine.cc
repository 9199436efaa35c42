// BlockedAffine: y = activation(x * scale + shift) over a blocked x (ops/conv/blocked_conv.h), with scale and shift
// [blocks, 16], one number a channel: what is left of a normalization with known statistics. Inputs behind them are
// more of x: tensors whose blocks follow those of the first.
#include "ops/layout/blocked_affine.h"
#include "ops/fused_activation.h"
#include "ops/input_rules.h"

namespace sdx::ops {
namespace {

// The parts of x as one.
Result<Fact> all_of_x(InferContext& ctx) {
  Fact x = tensor_fact(ctx.input(0).dtype, ctx.input(0).shape);
  for (size_t i = 3; i < ctx.input_count(); ++i) {
    const Fact& part = ctx.input(i);
    if (part.dtype != x.dtype) return ctx.fail("input {} is {}, input 0 {}", i, name(part.dtype), name(x.dtype));
    if (!x.has_rank() || !part.has_rank()) return tensor_fact(x.dtype, std::nullopt);
    if (part.rank() != x.rank() || x.rank() < 3)
      return ctx.fail("input {} has rank {}, input 0 has rank {}", i, part.rank(), x.rank());
    for (int axis = 0; axis < x.rank(); ++axis) {
      Dim& own = (*x.shape)[static_cast<size_t>(axis)];
      if (axis == 1) {
        own = ctx.symbols().add(own, part.dim(1));
      } else {
        SDX_ASSIGN(own, ctx.same(own, part.dim(axis), formatted("dimension {} of input {}", axis, i)));
      }
    }
  }
  return x;
}

Result<Facts> infer_blocked_affine(InferContext& ctx) {
  static constexpr DTypeSet kTypes = kShortFloats | set_of(DType::f64);
  std::vector<InputRule> rules = {{0, kTypes}, {1, kTypes}, {2, kTypes}};
  for (size_t i = 3; i < ctx.input_count(); ++i) rules.push_back({i, kTypes});
  SDX_TRY(check_inputs(ctx, rules));
  SDX_TRY(scaled_activation_of(ctx.attributes()).status());
  SDX_ASSIGN(const Fact x, all_of_x(ctx));
  if (!x.has_rank()) return x;
  if (x.rank() < 3) return ctx.fail("the input has rank {}; batch, blocks and lanes are wanted", x.rank());
  SDX_TRY(ctx.same(x.shape->back(), Dim(kChannelBlock), "lanes").status());
  for (const size_t i : {size_t{1}, size_t{2}}) {
    if (!ctx.has_rank(i)) continue;
    if (ctx.rank(i) != 2) return ctx.fail("scale or shift has rank {}; blocks and lanes are wanted", ctx.rank(i));
    SDX_TRY(ctx.same(ctx.dim(i, 0), x.dim(1), "blocks of scale or shift and of x").status());
    SDX_TRY(ctx.same(ctx.dim(i, 1), Dim(kChannelBlock), "lanes of scale or shift").status());
  }
  return tensor_fact(x.dtype, x.shape);
}

Status blocked_affine_reference(KernelContext& ctx) {
  SDX_ASSIGN(const FusedActivation activation, scaled_activation_of(ctx.attributes()));
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const int64_t blocks = y.dim(1), plane = count_range(y.shape(), 2, y.shape().size());
  for (int64_t i = 0; i < y.count(); ++i) {
    const int64_t channel = i / plane % blocks * kChannelBlock + i % kChannelBlock;
    const AffinePart part(ctx, i / plane % blocks);
    const int64_t at = (i / plane / blocks * part.x.dim(1) + part.block) * plane + i % plane;
    const double scaled = load_double(part.x, at) * load_double(ctx.input(1), channel);
    store_double(y, i, activation(scaled + load_double(ctx.input(2), channel)));
  }
  return {};
}

}  // namespace

SDX_OP(blocked_affine) = {
    .name = "BlockedAffine",
    .domain = "sardonyx",
    .infer = infer_blocked_affine,
    .reference = blocked_affine_reference,
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(2e-6),
};

}  // namespace sdx::ops
