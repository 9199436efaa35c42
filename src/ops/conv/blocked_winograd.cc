#include "ops/conv/blocked_winograd.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "base/knobs.h"
#include "kernel/scratch_parts.h"
#include "ops/conv/blocked_direct.h"
#include "ops/conv/winograd_tiles.h"

namespace sdx::ops {
namespace {

constexpr int64_t kMaxTiles = 64;               // of a region
constexpr int64_t kMaxTileChannels = 16 << 10;  // tiles * channels of a region
constexpr int64_t kChunkChannels = 256;         // of the input, whose weights are transformed at once
constexpr int64_t kLine = 16;                   // floats in a line of a cache
constexpr int64_t kMaxWidth = 32;               // of a panel
constexpr int64_t kLeastChannels = 16;

// What a region of `tiles` tiles takes, in floats; steps are odd numbers of lines, so that the 36 do not meet in a
// cache.
struct RegionSizes {
  RegionSizes(int64_t channels, int64_t tiles)
      : v_step(channel_blocks(channels) * tiles * kChannelBlock + kLine),
        m_step(kMaxWidth * tiles + kLine),
        u_step(std::min(channels, kChunkChannels) * kMaxWidth + kLine) {}
  int64_t v_step, m_step, u_step;
  int64_t inputs() const { return kWinogradPoints * v_step; }
  int64_t products() const { return kWinogradPoints * m_step + kWinogradLine * u_step; }
};

// How the tiles of an image are cut.
struct Regions {
  Regions(int64_t channels, int64_t all) {
    const int64_t most = std::clamp<int64_t>(kMaxTileChannels / channels, 4, kMaxTiles);
    tiles = ceil_div(all, ceil_div(all, most));
    count = ceil_div(all, tiles);
  }
  // One region: its transformed input serves all threads, which share the panels. Several: a thread has its own.
  bool shares_input() const { return count == 1; }
  int64_t tiles = 0, count = 0;
};

int64_t tiles_of(int64_t height, int64_t width) {
  return ceil_div(height, kWinogradOut) * ceil_div(width, kWinogradOut);
}

// Cycles a channel and vector of filters take, as measured.
bool pays(int64_t channels, int64_t outputs, int64_t height, int64_t width) {
  const auto tiles = static_cast<double>(tiles_of(height, width));
  const double of_tile = 22.5 + 143.0 / static_cast<double>(outputs) + 100.0 / static_cast<double>(channels);
  return 215 + tiles * of_tile < 5.0 * static_cast<double>(height * width);
}

// The root of the sum of squares of what rounding may add, over that of the direct convolution, for inputs without
// correlation: g^T (K x K) g over 9 times the mean of g^2, where K = G^T diag(|row of B^T|^2 |column of A^T|^2 / 4) G.
class Amplification {
 public:
  explicit Amplification(int64_t windows) : step_(std::max<int64_t>(1, windows / kSamples)) {}

  // The windows from `first` on, in order.
  void add(const float* w, int64_t first, int64_t count) {
    for (int64_t i = (step_ - first % step_) % step_; i < count; i += step_) add(w + i * 9);
  }
  double value() const { return squares_ > 0 ? std::sqrt(errors_ / squares_) : 0; }

 private:
  void add(const float* g) {
    constexpr double kCorner = 5.96875, kMiddle = 3.125;
    double h[9];  // K g
    for (int j = 0; j < 3; ++j) {
      h[j] = kCorner * g[j] + kMiddle * g[6 + j];
      h[3 + j] = kMiddle * g[3 + j];
      h[6 + j] = kMiddle * g[j] + kCorner * g[6 + j];
    }
    for (int r = 0; r < 9; r += 3) {
      errors_ += g[r] * (kCorner * h[r] + kMiddle * h[r + 2]) + g[r + 1] * kMiddle * h[r + 1] +
                 g[r + 2] * (kMiddle * h[r] + kCorner * h[r + 2]);
    }
    for (int j = 0; j < 9; ++j) squares_ += static_cast<double>(g[j]) * static_cast<double>(g[j]);
  }

  static constexpr int64_t kSamples = 4096;
  int64_t step_;
  double squares_ = 0, errors_ = 0;
};
constexpr double kMostAmplification = 6.5;  // 5.1 for weights without correlation

struct WinogradWeights : BlockedWeights {
  bool is_exact_enough = true;
};

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
        columns_(ceil_div(sizes.windows.out[1], kWinogradOut)),
        all_(tiles_of(sizes.windows.out[0], sizes.windows.out[1])),
        regions_(sizes.channels, all_),
        w_(weights.packed.data<float>()),
        bias_(bias),
        activation_(activation) {}

  Status run(ScratchParts& scratch) const {
    const RegionSizes sizes(sizes_.channels, regions_.tiles);
    if (!regions_.shares_input()) {
      ScratchSlots slots = scratch.slots(static_cast<size_t>(sizes.inputs() + sizes.products()) * sizeof(float));
      return parallel_ranges(ctx_, sizes_.batch * regions_.count, 1, [&](int64_t begin, int64_t end) {
        const ScratchSlots::Lease lease(slots);
        auto* v = reinterpret_cast<float*>(lease.memory());
        for (int64_t i = begin; i < end; ++i) {
          const Region r = region(i / regions_.count, i % regions_.count);
          transform_inputs(r, 0, blocks_, v);
          run_panels(r, 0, layout_.panel_count(), v, v + r.sizes.inputs());
        }
      });
    }
    float* v = scratch.take<float>(sizes.inputs()).data();
    ScratchSlots slots = scratch.slots(static_cast<size_t>(sizes.products()) * sizeof(float));
    for (int64_t image = 0; image < sizes_.batch; ++image) {
      const Region r = region(image, 0);
      const int64_t grain = std::max<int64_t>(1, 64 / r.count);
      SDX_TRY(parallel_ranges(ctx_, blocks_, grain,
                              [&](int64_t begin, int64_t end) { transform_inputs(r, begin, end, v); }));
      SDX_TRY(parallel_ranges(ctx_, layout_.panel_count(), 1, [&](int64_t begin, int64_t end) {
        const ScratchSlots::Lease lease(slots);
        run_panels(r, begin, end, v, reinterpret_cast<float*>(lease.memory()));
      }));
    }
    return {};
  }

 private:
  struct Region {
    int64_t image, first, count;  // tiles
    RegionSizes sizes;
  };
  Region region(int64_t image, int64_t index) const {
    const int64_t first = index * regions_.tiles, count = std::min(regions_.tiles, all_ - first);
    return {image, first, count, RegionSizes(sizes_.channels, count)};
  }

  void run_panels(const Region& r, int64_t begin, int64_t end, const float* v, float* memory) const {
    float *m = memory, *u = m + kWinogradPoints * r.sizes.m_step;
    for (int64_t panel = begin; panel < end; ++panel) {
      multiply(panel, r, v, u, m);
      const int64_t block = panel * tiles_.panel_blocks;
      const int64_t last = std::min(layout_.blocks, block + tiles_.panel_blocks);
      for (int64_t i = block; i < last; ++i) transform_outputs(r, i, m + (i - block) * r.count * kChannelBlock);
    }
  }

  void transform_inputs(const Region& r, int64_t first_block, int64_t last_block, float* v) const {
    const auto &in = sizes_.windows.in, &begin = sizes_.windows.begin;
    const int64_t row = in[1] * kChannelBlock;
    alignas(64) float edge[kWinogradIn * kWinogradIn * kChannelBlock];
    const int64_t step = r.sizes.v_step;
    for (int64_t block = first_block; block < last_block; ++block) {
      const float* x = ctx_.input(0).data<float>() + (r.image * blocks_ + block) * in[0] * row;
      for (int64_t i = 0; i < r.count; ++i) {
        const int64_t top = (r.first + i) / columns_ * kWinogradOut - begin[0];
        const int64_t left = (r.first + i) % columns_ * kWinogradOut - begin[1];
        float* to = v + (block * r.count + i) * kChannelBlock;
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

  // m[point][block of the panel][tile] = v[point][block][tile] times the panel's weights. Line by line of points: the
  // sums stay in the first cache, the panel's weights in the second.
  void multiply(int64_t panel, const Region& r, const float* v, float* u, float* m) const {
    static constexpr float kNoBias[kMaxWidth] = {};
    const bool narrow = panel == layout_.panels;
    const int64_t width = narrow ? layout_.narrow_width : layout_.width;
    const ConvTile* tile = narrow ? tiles_.narrow : tiles_.panel;
    const ConvTap tap{0, 0};
    ConvTileArgs t;
    t.block_step = r.count * kChannelBlock;
    t.depth = kChannelBlock;
    t.taps = &tap;
    t.tap_count = 1;
    t.width = t.channel_step = width;
    t.block_size = kChannelBlock * width;
    t.y_block = r.count * kChannelBlock;
    for (int64_t line = 0; line < kWinogradLine; ++line) {
      for (int64_t first = 0; first < sizes_.channels; first += kChunkChannels) {
        const int64_t depth = std::min(sizes_.channels - first, kChunkChannels), block = first / kChannelBlock;
        t.blocks = channel_blocks(depth);
        t.last_depth = depth - (t.blocks - 1) * kChannelBlock;
        t.bias = first == 0 ? kNoBias : nullptr;
        const float* w = w_ + panel * layout_.panel_size + first * 9 * width;
        transforms_.transform_weights[line](w, depth, width, u, r.sizes.u_step);
        fetch_next(t, w, depth * 9 * width, line, r.count);
        for (int64_t i = 0; i < kWinogradLine; ++i) {
          const int64_t point = line * kWinogradLine + i;
          t.w = u + i * r.sizes.u_step;
          run_tiles(t, tile, v + point * r.sizes.v_step + block * t.block_step, r.count, m + point * r.sizes.m_step);
        }
      }
    }
  }

  // The next panel's weights come with all lines but the first, which waits for its own.
  void fetch_next(ConvTileArgs& t, const float* w, int64_t size, int64_t line, int64_t count) const {
    const int64_t part = size / (kWinogradLine - 1);
    t.next = w + layout_.panel_size + (line - 1) * part;
    t.next_lines = 0;
    if (line == 0 || w + layout_.panel_size + size > w_ + layout_.group_size) return;
    const int64_t steps = kWinogradLine * ceil_div(count, tiles_.max_pixels) * t.blocks;
    t.next_lines = ceil_div(part / kLine, steps);
  }

  // Of nearly equal width.
  void run_tiles(ConvTileArgs& t, const ConvTile* tile, const float* x, int64_t count, float* y) const {
    const int64_t tiles = ceil_div(count, tiles_.max_pixels), width = count / tiles, wider = count % tiles;
    for (int64_t i = 0, at = 0; i < tiles; ++i) {
      const int64_t pixels = i < wider ? width + 1 : width;
      t.x = x + at * kChannelBlock;
      t.y = y + at * kChannelBlock;
      tile[pixels - 1](t);
      t.next += t.next_lines * t.blocks * kLine;
      at += pixels;
    }
  }

  void transform_outputs(const Region& r, int64_t block, const float* m) const {
    const auto& out = sizes_.windows.out;
    const int64_t row = out[1] * kChannelBlock, place = (r.image * layout_.blocks + block) * out[0] * row;
    float* y = ctx_.output(0).data<float>() + place;
    const float* z = ctx_.has_input(3) ? ctx_.input(3).data<float>() + place : nullptr;
    const int64_t lanes = sizes_.outputs - block * kChannelBlock;
    const bool clears = lanes < kChannelBlock && (z != nullptr || activation_(0) != 0);
    WinogradEnd end{.bias = bias_ + block * kChannelBlock, .low = activation_.low(), .high = activation_.high()};
    constexpr int64_t kPitch = kWinogradOut * kChannelBlock;
    alignas(64) float edge[kWinogradOut * kPitch], edge_z[kWinogradOut * kPitch];
    for (int64_t i = 0; i < r.count; ++i) {
      const int64_t top = (r.first + i) / columns_ * kWinogradOut, left = (r.first + i) % columns_ * kWinogradOut;
      const int64_t rows = std::min(kWinogradOut, out[0] - top), columns = std::min(kWinogradOut, out[1] - left);
      const int64_t at = top * row + left * kChannelBlock;
      const bool whole = rows == kWinogradOut && columns == kWinogradOut;
      const size_t bytes = static_cast<size_t>(columns * kChannelBlock) * sizeof(float);
      for (int64_t i_row = 0; z != nullptr && !whole && i_row < rows; ++i_row)
        std::memcpy(edge_z + i_row * kPitch, z + at + i_row * row, bytes);
      end.z = z == nullptr ? nullptr : whole ? z + at : edge_z;
      float* to = whole ? y + at : edge;
      const int64_t to_row = whole ? row : kPitch;
      transforms_.transform_output(m + i * kChannelBlock, r.sizes.m_step, end, to, to_row);
      for (int64_t i_row = 0; i_row < rows; ++i_row) {
        float* line = to + i_row * to_row;
        if (!activation_.is_clip()) activation_.apply(line, static_cast<size_t>(columns * kChannelBlock));
        if (clears) clear_lanes(line, lanes, columns);
        if (!whole) std::memcpy(y + at + i_row * row, line, bytes);
      }
    }
  }

  KernelContext& ctx_;
  const ConvSizes& sizes_;
  const BlockedTiles& tiles_;
  const WinogradTiles& transforms_;
  PanelLayout layout_;
  int64_t blocks_, columns_, all_;  // of input channels; of tiles
  Regions regions_;
  const float* w_;
  const float* bias_;
  FusedActivation activation_;
};

// Height and width of the output, where they are known.
std::optional<Shape> output_sizes(const NodeFacts& facts) {
  if (!facts.has_rank(0)) return std::nullopt;
  const auto windows = read_windows(facts.attributes(), 2, Shape{3, 3});
  if (!windows.ok()) return std::nullopt;
  Shape out;
  for (int axis = 0; axis < 2; ++axis) {
    const Dim& in = facts.dim(0, axis + 2);
    if (!in.is_known()) return std::nullopt;
    const auto i = static_cast<size_t>(axis);
    const bool same =
        windows->pad == WindowAttributes::Pad::same_upper || windows->pad == WindowAttributes::Pad::same_lower;
    out.push_back(same ? in.known() : std::max<int64_t>(0, in.known() + windows->begin[i] + windows->end[i] - 2));
  }
  return out;
}

}  // namespace

Verdict can_run_winograd(const NodeFacts& facts) {
  const auto w = facts.input(1).known_shape();
  if (w->size() != 4 || (*w)[2] != 3 || (*w)[3] != 3) return no("no window of 3x3");
  if (facts.attr_int("winograd", 1) == 0 || knob::winograd() == "off") return no("switched off (sardonyx.winograd)");
  if (facts.attr_int("group", 1) != 1) return no("groups");
  if (has_plain_input(facts.attributes())) return no("channels that are not blocked");
  for (const auto name : {"strides", "dilations"})
    for (const int64_t size : facts.attr_ints(name))
      if (size != 1) return no("strides or dilations");
  if ((*w)[0] < kLeastChannels || (*w)[1] < kLeastChannels) return no("too few channels");
  const auto out = output_sizes(facts);
  if (out && !pays((*w)[1], (*w)[0], (*out)[0], (*out)[1]))
    return no("the image is too small for the weights' transform");
  return yes();
}

Result<std::unique_ptr<KernelState>> prepare_winograd(const NodeFacts& facts) {
  auto state = std::make_unique<WinogradWeights>();
  const Tensor& w = *facts.constant(1);
  Amplification amplification(w.dim(0) * w.dim(1));
  SDX_TRY(pack_blocked_weights(facts, kChannelBlock, *state, [&](const float* part, int64_t first, int64_t count) {
    amplification.add(part, first * w.dim(1), count * w.dim(1));
  }));
  state->is_exact_enough = amplification.value() <= kMostAmplification;
  return std::unique_ptr<KernelState>(std::move(state));
}

Dim winograd_scratch(const ScratchFacts& facts) {
  const FilterSizes s = filter_sizes(facts.node);
  const auto out = output_sizes(facts.node);
  const int64_t lanes = channel_blocks(s.outputs) * kChannelBlock;
  const Regions regions(s.depth, out ? std::max<int64_t>(1, tiles_of((*out)[0], (*out)[1])) : kMaxTiles * 4096);
  const RegionSizes sizes(s.depth, regions.tiles);
  const bool own = !out || !regions.shares_input(), shared = !out || regions.shares_input();
  ScratchSize winograd(facts);
  winograd.part(Dim(lanes), sizeof(float));
  if (shared) winograd.part(Dim(sizes.inputs()), sizeof(float));
  const int64_t slot = (own ? sizes.inputs() : 0) + sizes.products();
  const Dim bytes = winograd.slots(Dim(slot * static_cast<int64_t>(sizeof(float)))).bytes();
  return facts.symbols.max(bytes, direct_scratch(facts));
}

Status run_winograd(KernelContext& ctx) {
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const ConvSizes sizes, blocked_conv_sizes(ctx));
  const auto& weights = ctx.state<WinogradWeights>();
  const Shape& out = sizes.windows.out;
  if (!weights.is_exact_enough || !pays(sizes.channels, sizes.outputs, out[0], out[1])) return run_direct(ctx);
  SDX_ASSIGN(const FusedActivation activation, scaled_activation_of(ctx.attributes()));
  ScratchParts scratch(ctx);
  const float* bias = bias_lanes(ctx, sizes, scratch);
  return WinogradConv(ctx, sizes, weights, bias, activation).run(scratch);
}

}  // namespace sdx::ops
