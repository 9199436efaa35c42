#include "ops/conv/blocked_depthwise.h"

#include <algorithm>

#include "kernel/scratch_parts.h"
#include "ops/conv/depthwise_tiles.h"

namespace sdx::ops {
namespace {

constexpr int64_t kMaxDepthwiseTaps = 512;
constexpr int64_t kEnoughUnits = 16;
constexpr int64_t kLeastOperations = 200'000;  // that another thread is asked for

struct DepthwiseWeights : KernelState {
  const DepthwiseTiles* tiles = nullptr;
  Tensor packed;  // [block][kernel element][16]
};

class DepthwiseConv {
 public:
  DepthwiseConv(KernelContext& ctx, const ConvSizes& sizes, const DepthwiseWeights& weights, const float* bias,
                const FusedActivation& activation)
      : ctx_(ctx),
        g_(make_im2col(sizes.windows)),
        tiles_(*weights.tiles),
        channels_(sizes.outputs),
        blocks_(channel_blocks(sizes.outputs)),
        taps_(sizes.kernel_count()),
        w_(weights.packed.data<float>()),
        bias_(bias),
        activation_(activation) {}

  Status run(int64_t batch) const {
    const int64_t planes = batch * blocks_ * g_.out[0];
    const int64_t wanted_parts = std::clamp<int64_t>(kEnoughUnits / planes, 1, g_.out[1]);
    const int64_t rows = ceil_div(g_.out[1], wanted_parts), parts = ceil_div(g_.out[1], rows);
    const int64_t operations = 2 * kChannelBlock * rows * g_.out[2] * taps_;
    const int64_t grain = std::max<int64_t>(1, kLeastOperations / operations);
    return parallel_ranges(ctx_, planes * parts, grain, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t first = unit % parts * rows;
        run_rows(unit / parts, first, std::min(first + rows, g_.out[1]));
      }
    });
  }

 private:
  int64_t list_taps(const TapsInside& inside, DepthwiseTap* taps) const {
    int64_t count = 0;
    for (int64_t kz = inside.planes[0]; kz < inside.planes[1]; ++kz) {
      for (int64_t ky = inside.rows[0]; ky < inside.rows[1]; ++ky) {
        for (int64_t kx = 0; kx < g_.kernel[2]; ++kx) {
          const int64_t row = kz * g_.dilation[0] * g_.in[1] + ky * g_.dilation[1];
          const int64_t offset = (row * g_.in[2] + kx * g_.dilation[2]) * kChannelBlock;
          taps[count++] = {offset, (kz * g_.kernel[1] + ky) * g_.kernel[2] + kx, kx * g_.dilation[2]};
        }
      }
    }
    return count;
  }

  void run_rows(int64_t plane, int64_t first, int64_t last) const {
    const int64_t depth = plane % g_.out[0], block = plane / g_.out[0] % blocks_, image_block = plane / g_.out[0];
    DepthwiseTap taps[kMaxDepthwiseTaps];
    TapsInside listed;
    DepthwiseArgs t;
    t.step = g_.stride[2] * kChannelBlock;
    t.taps = taps;
    t.columns = g_.in[2];
    t.stride = g_.stride[2];
    t.w = w_ + block * taps_ * kChannelBlock;
    t.bias = bias_ + block * kChannelBlock;
    t.lanes = channels_ - block * kChannelBlock;
    t.low = activation_.low();
    t.high = activation_.high();
    for (int64_t row = first; row < last; ++row) {
      if (const TapsInside inside(g_, depth, row); !(inside == listed)) {
        listed = inside;
        t.tap_count = list_taps(inside, taps);
      }
      const int64_t z = depth * g_.stride[0] - g_.begin[0], y = row * g_.stride[1] - g_.begin[1];
      const int64_t in = (image_block * g_.in[0] + z) * g_.in[1] + y;
      const int64_t place = ((image_block * g_.out[0] + depth) * g_.out[1] + row) * g_.out[2] * kChannelBlock;
      run_row(t, in * g_.in[2], place);
      float* to = ctx_.output(0).data<float>() + place;
      if (!activation_.is_clip()) activation_.apply(to, static_cast<size_t>(g_.out[2] * kChannelBlock));
      if (t.lanes < kChannelBlock && activation_(0) != 0) clear_lanes(to, t.lanes, g_.out[2]);
    }
  }

  void run_row(DepthwiseArgs& t, int64_t in, int64_t place) const {
    const float* x = ctx_.input(0).data<float>();
    const float* z = ctx_.has_input(3) ? ctx_.input(3).data<float>() + place : nullptr;
    float* y = ctx_.output(0).data<float>() + place;
    const int64_t span = (g_.kernel[2] - 1) * g_.dilation[2] + 1;
    const DepthwiseTile* inner = g_.stride[2] == 1 ? tiles_.inner : g_.stride[2] == 2 ? tiles_.inner_by_two : nullptr;
    const int64_t count = ceil_div(g_.out[2], tiles_.max_pixels);
    const int64_t width = g_.out[2] / count, wider = g_.out[2] % count;
    for (int64_t i = 0, column = 0; i < count; ++i) {
      const int64_t pixels = i < wider ? width + 1 : width;
      t.column = column * g_.stride[2] - g_.begin[2];
      t.x = x + (in + t.column) * kChannelBlock;
      t.y = y + column * kChannelBlock;
      t.z = z != nullptr ? z + column * kChannelBlock : nullptr;
      const bool inside = t.column >= 0 && t.column + (pixels - 1) * g_.stride[2] + span <= g_.in[2];
      (inside && inner != nullptr ? inner : tiles_.edge)[pixels - 1](t);
      column += pixels;
    }
  }

  KernelContext& ctx_;
  Im2col g_;
  const DepthwiseTiles& tiles_;
  int64_t channels_, blocks_, taps_;
  const float* w_;
  const float* bias_;
  FusedActivation activation_;
};

}  // namespace

Verdict can_run_depthwise(const NodeFacts& facts) {
  const FilterSizes s = filter_sizes(facts);
  if (s.groups == 1 || s.depth != 1 || s.outputs != 1) return no("not depthwise");
  if (has_plain_input(facts.attributes())) return no("depthwise on channels that are not blocked");
  if (s.taps > kMaxDepthwiseTaps) return no("more kernel elements than a list holds");
  return yes();
}

int64_t depthwise_bytes(const NodeFacts& facts) {
  const FilterSizes s = filter_sizes(facts);
  return channel_blocks(s.groups) * kChannelBlock * s.taps * static_cast<int64_t>(sizeof(float));
}

Result<std::unique_ptr<KernelState>> prepare_depthwise(const NodeFacts& facts) {
  const FilterSizes s = filter_sizes(facts);
  auto state = std::make_unique<DepthwiseWeights>();
  state->tiles = &depthwise_tiles();
  SDX_ASSIGN(state->packed, Tensor::allocate(DType::f32, Shape{channel_blocks(s.groups) * kChannelBlock * s.taps}));
  const float* w = facts.constant(1)->data<float>();
  float* to = state->packed.data<float>();
  for (int64_t channel = 0; channel < channel_blocks(s.groups) * kChannelBlock; ++channel)
    for (int64_t tap = 0; tap < s.taps; ++tap)
      to[(channel / kChannelBlock * s.taps + tap) * kChannelBlock + channel % kChannelBlock] =
          channel < s.groups ? w[channel * s.taps + tap] : 0.0f;
  return std::unique_ptr<KernelState>(std::move(state));
}

Dim depthwise_scratch(const ScratchFacts& facts) {
  const int64_t lanes = channel_blocks(filter_sizes(facts.node).groups) * kChannelBlock;
  return ScratchSize(facts).part(Dim(lanes), sizeof(float)).bytes();
}

Status run_depthwise(KernelContext& ctx) {
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const ConvSizes sizes, blocked_conv_sizes(ctx));
  SDX_ASSIGN(const FusedActivation activation, scaled_activation_of(ctx.attributes()));
  ScratchParts scratch(ctx);
  const float* bias = bias_lanes(ctx, sizes, scratch);
  return DepthwiseConv(ctx, sizes, ctx.state<DepthwiseWeights>(), bias, activation).run(sizes.batch);
}

}  // namespace sdx::ops
