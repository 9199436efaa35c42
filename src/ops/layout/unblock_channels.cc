// UnblockChannels: y [N, channels, spatial...] of its blocked form; with channels_last, y [N, spatial..., channels].
#include <cstring>

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
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const PlainSizes s = plain_sizes(y, ctx.attr_int("channels_last", 0) != 0);
  const size_t bytes = y.byte_size() / static_cast<size_t>(y.count());
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t c = 0; c < s.channels; ++c) {
      SDX_TRY(ctx.check_cancelled());
      for (int64_t p = 0; p < s.positions; ++p) {
        const int64_t to =
            s.channels_last ? (n * s.positions + p) * s.channels + c : (n * s.channels + c) * s.positions + p;
        const int64_t from = ((n * channel_blocks(s.channels) + c / kChannelBlock) * s.positions + p) * kChannelBlock +
                             c % kChannelBlock;
        std::memcpy(y.bytes() + static_cast<size_t>(to) * bytes, x.bytes() + static_cast<size_t>(from) * bytes, bytes);
      }
    }
  }
  return {};
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
