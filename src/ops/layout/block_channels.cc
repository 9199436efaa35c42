// BlockChannels: the blocked form of x [N, C, spatial...]; with channels_last, of x [N, spatial..., C]. Zero in lanes
// beyond C.
#include <cstring>

#include "ops/input_rules.h"
#include "ops/layout/blocked.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_block_channels(InferContext& ctx) {
  static constexpr InputRule kRules[] = {{0, kShortFloats | set_of(DType::f64)}};
  SDX_TRY(check_inputs(ctx, kRules));
  const Fact& x = ctx.input(0);
  if (!x.has_rank()) return tensor_fact(x.dtype, std::nullopt);
  if (x.rank() < 2) return ctx.fail("the input has rank {}; batch and channels are wanted", x.rank());
  const bool last = ctx.attr_int("channels_last", 0) != 0;
  const Dim channels = last ? x.shape->back() : x.dim(1);
  SymShape shape = {x.dim(0), ctx.symbols().ceil_div(channels, Dim(kChannelBlock))};
  for (int axis = last ? 1 : 2; axis < x.rank() - (last ? 1 : 0); ++axis) shape.push_back(x.dim(axis));
  shape.push_back(Dim(kChannelBlock));
  return tensor_fact(x.dtype, std::move(shape));
}

Status block_channels_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const PlainSizes s = plain_sizes(x, ctx.attr_int("channels_last", 0) != 0);
  std::memset(y.raw(), 0, y.byte_size());
  return copy_elements(ctx, s, &PlainSizes::plain_index, &PlainSizes::blocked_index);
}

}  // namespace

PlainSizes plain_sizes(const Tensor& plain, bool channels_last) {
  const Shape& shape = plain.shape();
  const size_t rank = shape.size();
  if (channels_last) return {shape[0], shape[rank - 1], count_range(shape, 1, rank - 1), true};
  return {shape[0], shape[1], count_range(shape, 2, rank), false};
}

Status copy_elements(KernelContext& ctx, const PlainSizes& sizes,
                     int64_t (PlainSizes::*from)(int64_t, int64_t, int64_t) const,
                     int64_t (PlainSizes::*to)(int64_t, int64_t, int64_t) const) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const size_t bytes = y.byte_size() / static_cast<size_t>(y.count());
  for (int64_t n = 0; n < sizes.batch; ++n) {
    for (int64_t c = 0; c < sizes.channels; ++c) {
      SDX_TRY(ctx.check_cancelled());
      for (int64_t p = 0; p < sizes.positions; ++p)
        std::memcpy(y.bytes() + static_cast<size_t>((sizes.*to)(n, c, p)) * bytes,
                    x.bytes() + static_cast<size_t>((sizes.*from)(n, c, p)) * bytes, bytes);
    }
  }
  return {};
}

SDX_OP(block_channels) = {
    .name = "BlockChannels",
    .domain = "sardonyx",
    .infer = infer_block_channels,
    .reference = block_channels_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
