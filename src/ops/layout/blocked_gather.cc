// BlockedGather: channels of blocked tensors (ops/conv/blocked_conv.h) in any order. With the inputs' channels
// (`channels`, one number an input) counted one after another, channel c of y is channel order[c] of all. Lanes of y
// beyond the last channel are 0.
#include "ops/layout/blocked_gather.h"

#include <algorithm>
#include <cstring>

#include "ops/input_rules.h"

namespace sdx::ops {
namespace {

constexpr int64_t kMostChannels = 1 << 24;  // of all inputs

Result<Facts> infer_blocked_gather(InferContext& ctx) {
  static constexpr DTypeSet kTypes = kShortFloats | set_of(DType::f64);
  const auto channels = ctx.attr_ints("channels"), order = ctx.attr_ints("order");
  if (ctx.input_count() == 0 || channels.size() != ctx.input_count())
    return ctx.fail("channels has {} numbers for {} inputs", channels.size(), ctx.input_count());
  int64_t all = 0;
  for (const int64_t count : channels) {
    if (count < 1 || count > kMostChannels - all) return ctx.fail("channels holds {}", count);
    all += count;
  }
  for (const int64_t channel : order)
    if (channel < 0 || channel >= all) return ctx.fail("order holds {} of {} channels", channel, all);
  if (order.empty()) return ctx.fail("order is empty");
  std::vector<InputRule> rules;
  for (size_t i = 0; i < channels.size(); ++i) rules.push_back({i, kTypes});
  SDX_TRY(check_inputs(ctx, rules));
  std::optional<SymShape> shape;
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    if (ctx.dtype(i) != ctx.dtype(0))
      return ctx.fail("input {} is {}, input 0 {}", i, name(ctx.dtype(i)), name(ctx.dtype(0)));
    if (!ctx.has_rank(i)) return tensor_fact(ctx.dtype(0), std::nullopt);
    SymShape own = *ctx.input(i).shape;
    if (own.size() < 3) return ctx.fail("input {} has rank {}; batch, blocks and lanes are wanted", i, own.size());
    SDX_TRY(ctx.same(own.back(), Dim(kChannelBlock), "lanes").status());
    SDX_TRY(ctx.same(own[1], Dim(channel_blocks(channels[i])), formatted("blocks of input {}", i)).status());
    own[1] = Dim(channel_blocks(static_cast<int64_t>(order.size())));
    own.back() = Dim(kChannelBlock);
    if (!shape) {
      shape = std::move(own);
      continue;
    }
    if (own.size() != shape->size())
      return ctx.fail("input {} has rank {}, input 0 has rank {}", i, own.size(), shape->size());
    for (size_t d = 0; d < own.size(); ++d) {
      SDX_ASSIGN((*shape)[d], ctx.same((*shape)[d], own[d], formatted("dimension {} of input {}", d, i)));
    }
  }
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

Status blocked_gather_reference(KernelContext& ctx) {
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const auto channels = ctx.attr_ints("channels"), order = ctx.attr_ints("order");
  const auto outputs = static_cast<int64_t>(order.size());
  const int64_t positions = count_range(y.shape(), 2, y.shape().size() - 1);
  const PlainSizes to{.batch = y.dim(0), .channels = outputs, .positions = positions};
  std::memset(y.raw(), 0, y.byte_size());
  for (int64_t n = 0; n < to.batch; ++n) {
    for (int64_t c = 0; c < outputs; ++c) {
      SDX_TRY(ctx.check_cancelled());
      size_t input = 0;
      int64_t channel = order[static_cast<size_t>(c)];
      while (channel >= channels[input]) channel -= channels[input++];
      const PlainSizes from{.batch = to.batch, .channels = channels[input], .positions = positions};
      for (int64_t p = 0; p < positions; ++p)
        store_double(y, to.blocked_index(n, c, p), load_double(ctx.input(input), from.blocked_index(n, channel, p)));
    }
  }
  return {};
}

}  // namespace

GatherRuns::GatherRuns(std::span<const int64_t> channels, std::span<const int64_t> order) {
  for (size_t c = 0; c < order.size(); ++c) {
    const int64_t lane = static_cast<int64_t>(c) % kChannelBlock;
    if (lane == 0) begins.push_back(runs.size());
    GatherRun next{.lane = lane, .count = 1};
    int64_t channel = order[c];
    while (channel >= channels[next.input]) channel -= channels[next.input++];
    next.block = channel / kChannelBlock;
    next.from = channel % kChannelBlock;
    if (lane > 0) {
      GatherRun& last = runs.back();
      if (last.input == next.input && last.block == next.block && last.from + last.count == next.from) {
        ++last.count;
        continue;
      }
    }
    runs.push_back(next);
  }
  begins.push_back(runs.size());
}

SDX_OP(blocked_gather) = {
    .name = "BlockedGather",
    .domain = "sardonyx",
    .infer = infer_blocked_gather,
    .reference = blocked_gather_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
