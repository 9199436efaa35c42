// BlockedAffine: y = activation(x * scale + shift) over a blocked x (ops/conv/blocked_conv.h), with scale and shift
// [blocks, 16], one number a channel: what is left of a normalization with known statistics.
#include "ops/fused_activation.h"
#include "ops/input_rules.h"
#include "ops/layout/blocked.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_blocked_affine(InferContext& ctx) {
  static constexpr DTypeSet kTypes = kShortFloats | set_of(DType::f64);
  static constexpr InputRule kRules[] = {{0, kTypes}, {1, kTypes}, {2, kTypes}};
  SDX_TRY(check_inputs(ctx, kRules));
  SDX_TRY(scaled_activation_of(ctx.attributes()).status());
  const Fact& x = ctx.input(0);
  if (!x.has_rank()) return tensor_fact(x.dtype, std::nullopt);
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
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const int64_t blocks = x.dim(1), plane = count_range(x.shape(), 2, x.shape().size());
  for (int64_t i = 0; i < x.count(); ++i) {
    const int64_t channel = i / plane % blocks * kChannelBlock + i % kChannelBlock;
    const double scaled = load_double(x, i) * load_double(ctx.input(1), channel);
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
