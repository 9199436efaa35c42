// BlockedConv (sardonyx): activation(Conv(x, w, b) + z), where x, z and y are blocked (see blocked_conv.h):
//   y[n, o / 16, p..., o % 16] = activation(Conv(x, w)[n, o, p...] * factor[o] + b[o] + z[n, o / 16, p..., o % 16])
// w and b are as Conv has them; factor, as b, is 1 where it is omitted. Of a float32 x, w may be float16. With
// plain_input = 1, x is as Conv has it too. With input_order, channel i of Conv's input is channel input_order[i] of x.
// With activation_scale and activation_shift, activation(v) is a(v) * scale + shift. Lanes of y beyond the last channel
// are 0.
#include "ops/conv/blocked_conv.h"

#include "ops/input_rules.h"

namespace sdx::ops {

bool has_plain_input(const Attributes& attributes) { return attributes.get_int("plain_input", 0) != 0; }

namespace {

// The fact of x as Conv would see it.
Result<Fact> plain_input(InferContext& ctx) {
  Fact x = ctx.input(0);
  if (has_plain_input(ctx.attributes())) return x;
  if (!ctx.has_rank(0)) return x;
  const int rank = ctx.rank(0);
  if (rank < 4) return ctx.fail("blocked x has rank {}; batch, blocks, spatial axes and lanes are wanted", rank);
  const Dim& lanes = ctx.dim(0, rank - 1);
  if (lanes.is_known() && !lanes.is(kChannelBlock))
    return ctx.fail("blocked x has {} lanes, {} are wanted", lanes.known(), kChannelBlock);
  ctx.assume({Constraint::Kind::equal, lanes, Dim(kChannelBlock)});
  SymShape shape(ctx.input(0).shape->begin(), ctx.input(0).shape->end() - 1);
  shape[1] = ctx.unknown_dim();
  if (ctx.has_rank(1) && ctx.rank(1) == rank - 1) {
    SymbolTable& symbols = ctx.symbols();
    const Dim channels = symbols.mul(ctx.dim(1, 1), Dim(ctx.attr_int("group", 1)));
    SDX_TRY(ctx.same(symbols.ceil_div(channels, Dim(kChannelBlock)), ctx.dim(0, 1),
                     "blocks of the weights' input channels and of x")
                .status());
    shape[1] = channels;
  }
  x.shape = std::move(shape);
  return x;
}

Status check_order(InferContext& ctx, const Fact& x) {
  const auto order = ctx.attr_ints("input_order");
  if (!ctx.attributes().has("input_order")) return {};
  if (has_plain_input(ctx.attributes())) return ctx.fail("input_order is for blocked channels");
  if (!x.has_rank() || !x.dim(1).is_known()) {
    ctx.leave_to_run();
    return {};
  }
  const int64_t channels = x.dim(1).known();
  if (static_cast<int64_t>(order.size()) != channels)
    return ctx.fail("input_order has {} numbers for {} channels", order.size(), channels);
  for (const int64_t channel : order)
    if (channel < 0 || channel >= channels) return ctx.fail("input_order holds {} of {} channels", channel, channels);
  return {};
}

Result<Facts> infer_blocked_conv(InferContext& ctx) {
  static constexpr DTypeSet kTypes = kShortFloats | set_of(DType::f64);
  static constexpr InputRule kRules[] = {
      {0, kTypes}, {1, kTypes}, {2, kTypes, kOptional}, {3, kTypes, kOptional}, {4, kTypes, kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  SDX_TRY(scaled_activation_of(ctx.attributes()).status());
  SDX_ASSIGN(const Fact x, plain_input(ctx));
  SDX_TRY(check_order(ctx, x));
  std::vector<const Fact*> inputs = {&x, &ctx.input(1)};
  if (ctx.has_input(2)) inputs.push_back(&ctx.input(2));
  InferContext plain(ctx.node(), inputs, ctx.symbols(), nullptr, ctx.constraints());
  SDX_ASSIGN(Facts facts, infer_conv(plain));
  Fact& y = facts.list[0];
  if (!y.has_rank()) return facts;
  if (ctx.has_input(4) && ctx.has_rank(4)) {
    if (ctx.rank(4) != 1) return ctx.fail("factor has rank {}; a vector is wanted", ctx.rank(4));
    SDX_TRY(ctx.same(ctx.dim(4, 0), y.dim(1), "entries of the factor and output channels").status());
  }
  (*y.shape)[1] = ctx.symbols().ceil_div(y.dim(1), Dim(kChannelBlock));
  y.shape->push_back(Dim(kChannelBlock));
  if (ctx.has_input(3) && ctx.has_rank(3)) {
    if (ctx.rank(3) != y.rank()) return ctx.fail("z has rank {}, the output has rank {}", ctx.rank(3), y.rank());
    for (int axis = 0; axis < y.rank(); ++axis) {
      SDX_ASSIGN((*y.shape)[static_cast<size_t>(axis)],
                 ctx.same(y.dim(axis), ctx.dim(3, axis), formatted("dimension {} of the output and z", axis)));
    }
  }
  return facts;
}

Status blocked_conv_reference(KernelContext& ctx) {
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  SDX_ASSIGN(const FusedActivation activation, scaled_activation_of(ctx.attributes()));
  SDX_ASSIGN(const ConvSizes s, blocked_conv_sizes(ctx));
  const std::vector<double> x = read_doubles(ctx.input(0)), w = read_doubles(ctx.input(1));
  const int64_t in = s.in_count(), out = s.out_count(), taps = s.kernel_count(), depth = s.group_channels();
  const bool plain = has_plain_input(ctx.attributes());
  const auto order = ctx.attr_ints("input_order");
  const int64_t blocks = plain ? s.channels : channel_blocks(s.channels), lanes = plain ? 1 : kChannelBlock;
  std::vector<int64_t> places;  // of each channel as the groups count them, in an image
  for (int64_t i = 0; i < s.channels; ++i) {
    const int64_t c = order.empty() ? i : order[static_cast<size_t>(i)];
    places.push_back(c / lanes * in * lanes + c % lanes);
  }
  int64_t at = 0;
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t block = 0; block < channel_blocks(s.outputs); ++block) {
      Shape position(s.windows.axes());
      for (int64_t p = 0; p < out; ++p, next_position(position, s.windows.out)) {
        SDX_TRY(ctx.check_cancelled());
        for (int64_t lane = 0; lane < kChannelBlock; ++lane, ++at) {
          const int64_t o = block * kChannelBlock + lane;
          if (o >= s.outputs) {
            store_double(y, at, 0);
            continue;
          }
          double sum = 0;
          const int64_t* place = places.data() + o / s.group_outputs() * depth;
          for_each_in_window(s.windows, position, [&](int64_t tap, int64_t from) {
            const double *filter = w.data() + o * depth * taps + tap,
                         *image = x.data() + (n * blocks * in + from) * lanes;
            for (int64_t i = 0; i < depth; ++i) sum += filter[i * taps] * image[place[i]];
          });
          if (ctx.has_input(4)) sum *= load_double(ctx.input(4), o);
          if (ctx.has_input(2)) sum += load_double(ctx.input(2), o);
          store_double(y, at, activation(ctx.has_input(3) ? sum + load_double(ctx.input(3), at) : sum));
        }
      }
    }
  }
  return {};
}

}  // namespace

Result<ConvSizes> blocked_conv_sizes(KernelContext& ctx) {
  const Shape &x = ctx.input(0).shape(), &w = ctx.input(1).shape(), &y = ctx.output(0).shape();
  const std::span<const int64_t> kernel(w.begin() + 2, w.end());
  const size_t axes = kernel.size();
  const std::span<const int64_t> in(x.begin() + 2, axes), out(y.begin() + 2, axes);
  SDX_ASSIGN(const WindowAttributes attributes, read_windows(ctx.attributes(), axes, kernel));
  ConvSizes sizes{.batch = x[0], .channels = 0, .outputs = w[0], .groups = ctx.attr_int("group", 1)};
  sizes.channels = w[1] * sizes.groups;
  sizes.windows = resolve_windows(attributes, in, out);
  return sizes;
}

namespace {

const float* lanes_of(const KernelContext& ctx, size_t input, float otherwise, int64_t count, ScratchParts& scratch) {
  const std::span<float> lanes = scratch.take<float>(channel_blocks(count) * kChannelBlock);
  std::fill(lanes.begin(), lanes.end(), otherwise);
  if (ctx.has_input(input)) std::copy_n(ctx.input(input).data<float>(), count, lanes.begin());
  return lanes.data();
}

}  // namespace

const float* bias_lanes(const KernelContext& ctx, const ConvSizes& sizes, ScratchParts& scratch) {
  return lanes_of(ctx, 2, 0, sizes.outputs, scratch);
}

const float* factor_lanes(const KernelContext& ctx, const ConvSizes& sizes, ScratchParts& scratch) {
  return lanes_of(ctx, 4, 1, sizes.outputs, scratch);
}

SDX_OP(blocked_conv) = {
    .name = "BlockedConv",
    .domain = "sardonyx",
    .infer = infer_blocked_conv,
    .reference = blocked_conv_reference,
    .records_constraints = true,
    .in_place = 3,
    .tolerance = relative(3e-6),
};

}  // namespace sdx::ops
