#include "ops/conv/blocked_winograd.h"

#include <algorithm>
#include <cstring>

#include "kernel/scratch_parts.h"
#include "ops/conv/blocked_direct.h"
#include "ops/conv/winograd_tiles.h"

namespace sdx::ops {
namespace {

constexpr int64_t kMaxTiles = 64;               // of a region
constexpr int64_t kMaxTileChannels = 16 << 10;  // tiles * channels of a region
constexpr int64_t kChunkFloats = 6 << 10;       // transformed weights of a chunk, for one line of points
constexpr int64_t kEnoughUnits = 4;
constexpr int64_t kLine = 16;  // floats in a line of a cache

// What a region of `tiles` tiles takes, in floats; steps are odd numbers of lines, so that the 36 do not meet in a
// cache.
struct RegionSizes {
  RegionSizes(int64_t channels, int64_t tiles)
      : blocks(channel_blocks(channels)),
        v_step(blocks * tiles * kChannelBlock + kLine),
        m_step(2 * tiles * kChannelBlock + kLine),
        u_size(kChunkFloats + kLine * kChunkFloats / (kWinogradLine * kChannelBlock)) {}
  int64_t blocks, v_step, m_step, u_size;
  int64_t total() const { return kWinogradPoints * (v_step + m_step) + u_size; }
};

int64_t most_tiles(int64_t channels) { return std::clamp<int64_t>(kMaxTileChannels / channels, 4, kMaxTiles); }

class WinogradConv {
 public:
  WinogradConv(KernelContext& ctx, const ConvSizes& sizes, const BlockedWeights& weights, const float* bias,
               const FusedActivation& activation)
      : ctx_(ctx),
        sizes_(sizes),
        tiles_(*weights.tiles),
        transforms_(winograd_tiles()),
        layout_({sizes.outputs, sizes.channels, 9, 1}, tiles_),
        blocks_(channel_blocks(sizes.channels)),
        rows_(ceil_div(sizes.windows.out[0], kWinogradOut)),
        columns_(ceil_div(sizes.windows.out[1], kWinogradOut)),
        w_(weights.packed.data<float>()),
        bias_(bias),
        activation_(activation) {
    const int64_t all = rows_ * columns_;
    const int64_t parts = ceil_div(all, most_tiles(sizes.channels));
    region_tiles_ = ceil_div(all, parts);
    regions_ = ceil_div(all, region_tiles_);
    const int64_t pairs = ceil_div(layout_.panel_count(), 2);
    panel_parts_ = std::clamp<int64_t>(kEnoughUnits / (regions_ * sizes.batch), 1, pairs);
  }

  Status run(ScratchSlots& slots) const {
    return parallel_ranges(ctx_, sizes_.batch * regions_ * panel_parts_, 1, [&](int64_t begin, int64_t end) {
      const ScratchSlots::Lease lease(slots);
      for (int64_t unit = begin; unit < end; ++unit) run_unit(unit, reinterpret_cast<float*>(lease.memory()));
    });
  }

 private:
  void run_unit(int64_t unit, float* memory) const {
    const int64_t part = unit % panel_parts_, region = unit / panel_parts_ % regions_;
    const int64_t image = unit / panel_parts_ / regions_;
    const int64_t first = region * region_tiles_;
    const int64_t count = std::min(region_tiles_, rows_ * columns_ - first);
    const RegionSizes sizes(sizes_.channels, count);
    float *v = memory, *m = v + kWinogradPoints * sizes.v_step, *u = m + kWinogradPoints * sizes.m_step;
    transform_inputs(image, first, count, v, sizes.v_step);
    const int64_t pairs = ceil_div(layout_.panel_count(), 2);
    int64_t panel = 2 * (pairs * part / panel_parts_);
    const int64_t last = std::min(layout_.panel_count(), 2 * (pairs * (part + 1) / panel_parts_));
    for (; panel < last; ++panel) {
      multiply(panel, count, v, sizes, u, m);
      const int64_t block = panel * tiles_.panel_blocks;
      const int64_t end = std::min(layout_.blocks, block + tiles_.panel_blocks);
      for (int64_t i = block; i < end; ++i)
        transform_outputs(image, i, first, count, m + (i - block) * count * kChannelBlock, sizes.m_step);
    }
  }

  void transform_inputs(int64_t image, int64_t first, int64_t count, float* v, int64_t step) const {
    const auto &in = sizes_.windows.in, &begin = sizes_.windows.begin;
    const int64_t row = in[1] * kChannelBlock;
    alignas(64) float edge[kWinogradIn * kWinogradIn * kChannelBlock];
    for (int64_t block = 0; block < blocks_; ++block) {
      const float* x = ctx_.input(0).data<float>() + (image * blocks_ + block) * in[0] * row;
      for (int64_t i = 0; i < count; ++i) {
        const int64_t top = (first + i) / columns_ * kWinogradOut - begin[0];
        const int64_t left = (first + i) % columns_ * kWinogradOut - begin[1];
        float* to = v + (block * count + i) * kChannelBlock;
        const bool inside = top >= 0 && left >= 0 && top + kWinogradIn <= in[0] && left + kWinogradIn <= in[1];
        if (inside) {
          transforms_.transform_input(x + top * row + left * kChannelBlock, row, to, step);
        } else {
          copy_edge(x, top, left, edge);
          transforms_.transform_input(edge, kWinogradIn * kChannelBlock, to, step);
        }
      }
    }
  }

  void copy_edge(const float* x, int64_t top, int64_t left, float* edge) const {
    const auto& in = sizes_.windows.in;
    const int64_t begin = std::max<int64_t>(0, -left), end = std::min(kWinogradIn, in[1] - left);
    std::memset(edge, 0, kWinogradIn * kWinogradIn * kChannelBlock * sizeof(float));
    for (int64_t i = 0; i < kWinogradIn && begin < end; ++i)
      if (top + i >= 0 && top + i < in[0])
        std::memcpy(edge + (i * kWinogradIn + begin) * kChannelBlock,
                    x + ((top + i) * in[1] + left + begin) * kChannelBlock,
                    static_cast<size_t>((end - begin) * kChannelBlock) * sizeof(float));
  }

  // m[point][block of the panel][tile] = v[point][block][tile] times the panel's weights.
  void multiply(int64_t panel, int64_t count, const float* v, const RegionSizes& sizes, float* u, float* m) const {
    static constexpr float kNoBias[2 * kChannelBlock] = {};
    const bool narrow = panel == layout_.panels;
    const int64_t width = narrow ? layout_.narrow_width : layout_.width;
    const int64_t chunk = kChunkFloats / (kWinogradLine * kChannelBlock * width);
    const ConvTap tap{0, 0};
    ConvTileArgs t;
    t.block_step = count * kChannelBlock;
    t.depth = kChannelBlock;
    t.taps = &tap;
    t.tap_count = 1;
    t.width = width;
    t.channel_step = kWinogradLine * width + kLine;
    t.block_size = kChannelBlock * t.channel_step;
    t.y_block = count * kChannelBlock;
    // Line by line: its sums stay in the first cache, and the panel's weights in the second.
    for (int64_t line = 0; line < kWinogradLine; ++line) {
      for (int64_t block = 0; block < blocks_; block += chunk) {
        t.blocks = std::min(chunk, blocks_ - block);
        const int64_t depth = std::min(sizes_.channels - block * kChannelBlock, chunk * kChannelBlock);
        t.last_depth = depth - (t.blocks - 1) * kChannelBlock;
        t.bias = block == 0 ? kNoBias : nullptr;
        const float* w = w_ + panel * layout_.panel_size + block * kChannelBlock * 9 * width;
        transforms_.transform_weights[line](w, depth, width, u, t.channel_step);
        for (int64_t i = 0; i < kWinogradLine; ++i) {
          const int64_t point = line * kWinogradLine + i;
          t.w = u + i * width;
          run_tiles(t, narrow ? tiles_.narrow : tiles_.panel, v + point * sizes.v_step + block * t.block_step, count,
                    m + point * sizes.m_step);
        }
      }
    }
  }

  void run_tiles(ConvTileArgs& t, const ConvTile* tile, const float* x, int64_t count, float* y) const {
    const int64_t tiles = ceil_div(count, tiles_.max_pixels), width = count / tiles, wider = count % tiles;
    for (int64_t i = 0, at = 0; i < tiles; ++i) {
      const int64_t pixels = i < wider ? width + 1 : width;
      t.x = x + at * kChannelBlock;
      t.y = y + at * kChannelBlock;
      tile[pixels - 1](t);
      at += pixels;
    }
  }

  void transform_outputs(int64_t image, int64_t block, int64_t first, int64_t count, const float* m,
                         int64_t step) const {
    const auto& out = sizes_.windows.out;
    const int64_t row = out[1] * kChannelBlock, place = (image * layout_.blocks + block) * out[0] * row;
    float* y = ctx_.output(0).data<float>() + place;
    const float* z = ctx_.has_input(3) ? ctx_.input(3).data<float>() + place : nullptr;
    const int64_t lanes = sizes_.outputs - block * kChannelBlock;
    const bool clears = lanes < kChannelBlock && (z != nullptr || activation_(0) != 0);
    WinogradEnd end{.bias = bias_ + block * kChannelBlock, .low = activation_.low(), .high = activation_.high()};
    constexpr int64_t kPitch = kWinogradOut * kChannelBlock;
    alignas(64) float edge[kWinogradOut * kPitch], edge_z[kWinogradOut * kPitch];
    for (int64_t i = 0; i < count; ++i) {
      const int64_t top = (first + i) / columns_ * kWinogradOut, left = (first + i) % columns_ * kWinogradOut;
      const int64_t rows = std::min(kWinogradOut, out[0] - top), columns = std::min(kWinogradOut, out[1] - left);
      const int64_t at = top * row + left * kChannelBlock;
      const bool whole = rows == kWinogradOut && columns == kWinogradOut;
      const size_t bytes = static_cast<size_t>(columns * kChannelBlock) * sizeof(float);
      for (int64_t r = 0; z != nullptr && !whole && r < rows; ++r)
        std::memcpy(edge_z + r * kPitch, z + at + r * row, bytes);
      end.z = z == nullptr ? nullptr : whole ? z + at : edge_z;
      float* to = whole ? y + at : edge;
      const int64_t to_row = whole ? row : kPitch;
      transforms_.transform_output(m + i * kChannelBlock, step, end, to, to_row);
      for (int64_t r = 0; r < rows; ++r) {
        if (!activation_.is_clip()) activation_.apply(to + r * to_row, static_cast<size_t>(columns * kChannelBlock));
        if (clears) clear_lanes(to + r * to_row, lanes, columns);
        if (!whole) std::memcpy(y + at + r * row, edge + r * kPitch, bytes);
      }
    }
  }

  KernelContext& ctx_;
  const ConvSizes& sizes_;
  const BlockedTiles& tiles_;
  const WinogradTiles& transforms_;
  PanelLayout layout_;
  int64_t blocks_, rows_, columns_;  // of input channels; of tiles
  const float* w_;
  const float* bias_;
  FusedActivation activation_;
  int64_t region_tiles_ = 0, regions_ = 0, panel_parts_ = 0;
};

}  // namespace

Verdict can_run_winograd(const NodeFacts& facts) {
  const auto w = facts.input(1).known_shape();
  if (w->size() != 4 || (*w)[2] != 3 || (*w)[3] != 3) return no("no window of 3x3");
  if (facts.attr_int("group", 1) != 1) return no("groups");
  if (has_plain_input(facts.attributes())) return no("channels that are not blocked");
  for (const auto name : {"strides", "dilations"})
    for (const int64_t size : facts.attr_ints(name))
      if (size != 1) return no("strides or dilations");
  if ((*w)[0] < 32 || (*w)[1] < 32) return no("fewer than 32 channels");
  return yes();
}

Result<std::unique_ptr<KernelState>> prepare_winograd(const NodeFacts& facts) {
  return pack_blocked_weights(facts, kChannelBlock);
}

Dim winograd_scratch(const ScratchFacts& facts) {
  const FilterSizes s = filter_sizes(facts.node);
  const int64_t slot = RegionSizes(s.depth, most_tiles(s.depth)).total() * static_cast<int64_t>(sizeof(float));
  ScratchSize size(facts);
  return size.part(Dim(channel_blocks(s.outputs) * kChannelBlock), sizeof(float)).slots(Dim(slot)).bytes();
}

Status run_winograd(KernelContext& ctx) {
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const ConvSizes sizes, blocked_conv_sizes(ctx));
  SDX_ASSIGN(const FusedActivation activation, activation_of(ctx.attributes()));
  ScratchParts scratch(ctx);
  const std::span<float> bias = scratch.take<float>(channel_blocks(sizes.outputs) * kChannelBlock);
  std::fill(bias.begin(), bias.end(), 0.0f);
  if (ctx.has_input(2)) std::copy_n(ctx.input(2).data<float>(), sizes.outputs, bias.begin());
  const int64_t slot = RegionSizes(sizes.channels, most_tiles(sizes.channels)).total();
  ScratchSlots slots = scratch.slots(static_cast<size_t>(slot) * sizeof(float));
  return WinogradConv(ctx, sizes, ctx.state<BlockedWeights>(), bias.data(), activation).run(slots);
}

}  // namespace sdx::ops
