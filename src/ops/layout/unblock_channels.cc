// UnblockChannels: y [N, channels, spatial...] of its blocked form; with channels_last, y [N, spatial..., channels].
#include "ops/input_rules.h"
#include "ops/layout/blocked.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_unblock_channels(InferContext& ctx) {
  static constexpr InputRule kRules[] = {{0, kShortFloats | set_of(DType::f64)}};
  SDX_TRY(check_inputs(ctx, kRules));
  const int64_t channels = ctx.attr_int("channels", -1);
  if (channels < 0) return ctx.fail("channels is {}; a number from 0 on is wanted", channels);
  const Fact& x = ctx.input(0);
  if (!x.has_rank()) return tensor_fact(x.dtype, std::nullopt);
  if (x.rank() < 3) return ctx.fail("the input has rank {}; batch, blocks and lanes are wanted", x.rank());
  SDX_TRY(ctx.same(x.shape->back(), Dim(kChannelBlock), "lanes").status());
  SDX_TRY(ctx.same(x.dim(1), Dim(channel_blocks(channels)), "blocks of channels").status());
  SymShape shape = {x.dim(0)};
  const bool last = ctx.attr_int("channels_last", 0) != 0;
  if (!last) shape.push_back(Dim(channels));
  for (int axis = 2; axis < x.rank() - 1; ++axis) shape.push_back(x.dim(axis));
  if (last) shape.push_back(Dim(channels));
  return tensor_fact(x.dtype, std::move(shape));
}

Status unblock_channels_reference(KernelContext& ctx) {
  const Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const PlainSizes s = plain_sizes(y, ctx.attr_int("channels_last", 0) != 0);
  return copy_elements(ctx, s, &PlainSizes::blocked_index, &PlainSizes::plain_index);
}

}  // namespace

SDX_OP(unblock_channels) = {
    .name = "UnblockChannels",
    .domain = "sardonyx",
    .infer = infer_unblock_channels,
    .reference = unblock_channels_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
